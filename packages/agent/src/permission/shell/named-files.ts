import type { ResolvedPath } from '../../ports.js';
import type { ShellFacts } from '../call-facts.js';
import type { RuleAnchors } from '../path-pattern.js';
import { baseName, type ShellCommand, type ShellWord } from './shell-reading.js';

/** The files that the words of a command may mean. */
export interface NamedFiles {
  /** Every word and redirection as if it named a file. */
  readonly files: readonly ResolvedPath[];
  /** Absolute patterns that expand to files. */
  readonly patterns: readonly string[];
  /** Whether some file is known only when it runs, or whole folders are read. */
  readonly isOpen: boolean;
}

/** No system opens a longer name. */
const MAX_NAME = 4096;
const SAYS_ONLY = new Set(['echo', 'printf']);

/** Everything in a command that may name a file: what rules about files are tried on (S17). */
export function namedFiles({ reading, paths }: ShellFacts, anchors: RuleAnchors): NamedFiles {
  const files: ResolvedPath[] = [...paths.values()];
  const patterns: string[] = [];
  let isOpen = reading.unclear !== undefined || reading.files.some(({ path }) => path === undefined);
  for (const command of [...reading.commands, ...reading.inner]) {
    const [program] = command.words;
    const onlySays = SAYS_ONLY.has(program?.text ?? '');
    isOpen ||= readsFolders(command);
    for (const word of command.words) {
      const names = absoluteNames(word, command, anchors);
      if (word.certainty === 'glob') patterns.push(...names);
      else files.push(...names.map(asFile));
      isOpen ||= isUnknownName(word) && (!onlySays || word.certainty === 'glob');
    }
  }
  return { files, patterns, isOpen };
}

function isUnknownName({ certainty, text }: ShellWord): boolean {
  if (certainty === 'glob') return text.length > MAX_NAME;
  return certainty === 'open' || (certainty === 'variable' && !/^~(?:\/|$)/.test(text));
}

/** Whether a search goes through folders without leaving out what a rule hides. */
function readsFolders({ words }: ShellCommand): boolean {
  const [program = '', ...args] = words.map(({ text }) => text);
  switch (baseName(program)) {
    case 'grep':
    case 'egrep':
    case 'fgrep':
    case 'diff':
      return args.some((word) => /^-[A-Za-z]*[rR]|^--(?:dereference-)?recursive$/.test(word));
    case 'rg':
      return args.some((word) => /^-[A-Za-z]*[u.]|^--(?:hidden|no-ignore|unrestricted)/.test(word));
    default:
      return false;
  }
}

/** The word, and its parts behind `=`, `:` and `,`, below each folder in which the command may run. */
function absoluteNames({ text }: ShellWord, { folders }: ShellCommand, anchors: RuleAnchors): string[] {
  const parts = new Set([text, ...text.split(/[=:,]/)]);
  return [...parts]
    .filter((name) => name !== '' && name.length <= MAX_NAME && !name.startsWith('-'))
    .flatMap((name) => {
      if (name.startsWith('~/') && anchors.home !== undefined) return [`${anchors.home}${name.slice(1)}`];
      return name.startsWith('/') ? [name] : (folders ?? [anchors.root]).map((folder) => `${folder}/${name}`);
    });
}

/** `.` and `..` resolved by the text. */
function asFile(name: string): ResolvedPath {
  const names: string[] = [];
  for (const step of name.split('/')) {
    if (step === '..') names.pop();
    else if (step !== '' && step !== '.') names.push(step);
  }
  const path = `/${names.join('/')}`;
  return { path, realPath: path, insideRoots: false };
}
