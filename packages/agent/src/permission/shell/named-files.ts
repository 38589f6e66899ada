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
/** Deeper files are not compared with rules, which takes time for each folder above them (S18). */
const MAX_STEPS = 100;
/** More characters of names than these are not looked at: words count once for each folder (S18). */
const MAX_NAMED_CHARACTERS = 500_000;
const PRINT_PROGRAMS = new Set(['echo', 'printf']);

/** Everything in a command that may name a file: what rules about files are tried on (S17). */
export function namedFiles({ reading, paths }: ShellFacts, anchors: RuleAnchors): NamedFiles {
  const files: ResolvedPath[] = [...paths.values()].filter(isShallow);
  const patterns: string[] = [];
  let isOpen = reading.unclear !== undefined || files.length < paths.size;
  isOpen ||= reading.files.some(({ path }) => path === undefined);
  // The words of a carrier stand in several readings of it, which all have the same folder: an unknown one.
  const seen = new Set<ShellWord>();
  let characters = 0;
  for (const command of [...reading.commands, ...reading.inner]) {
    const [program] = command.words;
    const onlySays = PRINT_PROGRAMS.has(program?.text ?? '');
    isOpen ||= readsFolders(command);
    for (const word of command.words) {
      if (command.folders === undefined) {
        if (seen.has(word)) continue;
        seen.add(word);
      }
      const names = absoluteNames(word, command, anchors);
      for (const name of names) characters += name.length;
      if (characters > MAX_NAMED_CHARACTERS) return { files, patterns, isOpen: true };
      if (word.certainty === 'glob') patterns.push(...names);
      else {
        const named = names.map(asFile);
        files.push(...named.filter(isShallow));
        isOpen ||= !named.every(isShallow);
      }
      isOpen ||= isUnknownName(word) && (!onlySays || word.certainty === 'glob');
    }
  }
  return { files, patterns, isOpen };
}

function isShallow({ realPath }: ResolvedPath): boolean {
  return realPath.split('/').length <= MAX_STEPS;
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
