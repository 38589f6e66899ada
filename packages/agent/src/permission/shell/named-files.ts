import type { ResolvedPath } from '../../ports.js';
import type { ShellFacts } from '../call-facts.js';
import type { RuleAnchors } from '../path-pattern.js';
import { baseName, type ShellCommand, type ShellWord } from './shell-reading.js';

export interface NamedFiles {
  readonly files: readonly ResolvedPath[];
  readonly patterns: readonly string[];
  readonly isOpen: boolean;
}

const MAX_NAME = 4096;
/** Deeper files are not compared, to bound the time. */
const MAX_STEPS = 100;
const MAX_NAMED_CHARACTERS = 500_000;
const PRINT_PROGRAMS = new Set(['echo', 'printf']);

/** What rules about files are tried on. */
export function namedFiles({ reading, paths }: ShellFacts, anchors: RuleAnchors): NamedFiles {
  const files: ResolvedPath[] = [...paths.values()].filter(isShallow);
  const patterns: string[] = [];
  let isOpen = reading.unclear !== undefined || files.length < paths.size;
  isOpen ||= reading.files.some(({ path }) => path === undefined);
  // The words of a launcher occur in several readings, all with an unknown folder.
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

function absoluteNames({ text }: ShellWord, { folders }: ShellCommand, anchors: RuleAnchors): string[] {
  const parts = new Set([text, ...text.split(/[=:,]/)]);
  return [...parts]
    .filter((name) => name !== '' && name.length <= MAX_NAME && !name.startsWith('-'))
    .flatMap((name) => {
      if (name.startsWith('~/') && anchors.home !== undefined) return [`${anchors.home}${name.slice(1)}`];
      return name.startsWith('/') ? [name] : (folders ?? [anchors.root]).map((folder) => `${folder}/${name}`);
    });
}

function asFile(name: string): ResolvedPath {
  const names: string[] = [];
  for (const step of name.split('/')) {
    if (step === '..') names.pop();
    else if (step !== '' && step !== '.') names.push(step);
  }
  const path = `/${names.join('/')}`;
  return { path, realPath: path, insideRoots: false };
}
