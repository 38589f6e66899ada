import { defined } from '@qwen/protocol';
import { filesIn, foldersAfter } from './folder-track.js';
import { foundBy } from './program-state.js';
import { type CommandLocation, readOnlyFiles } from './read-only.js';
import { gitUse } from './read-only-git.js';
import { countRequiredWords } from './required-words.js';
import { baseName, type ShellCommand, type ShellWord } from './shell-reading.js';

export function describeCommand(
  words: readonly ShellWord[],
  assignments: readonly ShellWord[],
  location: CommandLocation,
): ShellCommand {
  const inFolder = describeGitInFolder(words, assignments, location);
  if (inFolder?.readOnlyFiles !== undefined) return inFolder;
  const looks = assignments.length === 0 ? readOnlyFiles(words, location) : undefined;
  const at = wrappedAt(words);
  const wraps = at === undefined ? undefined : describeCommand(words.slice(at), [], location);
  const [program, ...args] = words.map(({ text }) => text);
  const git = baseName(program ?? '') === 'git' ? gitUse(args) : wraps?.git;
  return {
    words,
    assignments,
    folders: location.folders,
    readOnlyFiles: looks?.files,
    requiredWords: looks === undefined ? countRequiredWords(words) : 1,
    ...(looks !== undefined && looks.patterns.length > 0 && { readOnlyPatterns: looks.patterns }),
    ...(program === 'diff' && { followsLinks: true }),
    ...defined({ git, wraps, finds: looks && foundBy(program ?? '') }),
  };
}

/** `git -C src log` as git in the folder `src`, which it must be able to enter. */
function describeGitInFolder(
  words: readonly ShellWord[],
  assignments: readonly ShellWord[],
  location: CommandLocation,
): ShellCommand | undefined {
  const [git, option, folder, ...rest] = words;
  if (git?.text !== 'git' || option?.text !== '-C' || folder?.certainty !== 'fixed') return undefined;
  const folders = foldersAfter(location.folders, folder.text);
  const command = describeCommand([git, ...rest], assignments, { ...location, folders });
  const entered = filesIn(location.folders, folder.text);
  const files = entered && command.readOnlyFiles && [...entered, ...command.readOnlyFiles];
  return { ...command, words, folders: location.folders, gitFolders: folders, readOnlyFiles: files };
}

const MAX_WORDS = 200;
const DURATION = /^\d+(?:\.\d+)?[smhd]?$/;

function wrappedAt(words: readonly ShellWord[]): number | undefined {
  const [program] = words;
  if (program?.isBare !== true || program.certainty !== 'fixed' || words.length > MAX_WORDS) return undefined;
  const at = firstOperand(
    program.text,
    words.map(({ text }) => text),
  );
  if (at === undefined || at >= words.length) return undefined;
  return words.slice(0, at).every(({ certainty }) => certainty === 'fixed') ? at : undefined;
}

function firstOperand(program: string, words: readonly string[]): number | undefined {
  let at = 1;
  switch (program) {
    case 'nohup':
    case 'time':
      break;
    case 'timeout':
      while (
        /^(?:-k\d+[smhd]?|-s[A-Z0-9]+|--foreground|--preserve-status|--kill-after=\d+[smhd]?)$/.test(words[at] ?? '')
      )
        at += 1;
      if (!DURATION.test(words[at] ?? '')) return undefined;
      at += 1;
      break;
    case 'nice':
      if (words[at] === '-n' && /^-?\d+$/.test(words[at + 1] ?? '')) at += 2;
      else if (/^(?:-n?-?\d+|--adjustment=-?\d+)$/.test(words[at] ?? '')) at += 1;
      break;
    case 'stdbuf':
      while (/^-[ioe][L0]$/.test(words[at] ?? '')) at += 1;
      break;
    default:
      return undefined;
  }
  return words[at]?.startsWith('-') === true ? undefined : at;
}
