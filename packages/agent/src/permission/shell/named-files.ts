import { compileGlob, foldCase } from '../../glob/compile-glob.js';
import type { ListingScope, ResolvedPath } from '../../ports.js';
import type { ShellFacts, TakenFolder } from '../call-facts.js';
import type { RuleAnchors } from '../path-pattern.js';
import { carrierName } from './carriers.js';
import { filesIn } from './folder-track.js';
import { opaqueReason } from './opaque-text.js';
import { readSedScript, sedScriptOf } from './sed-script.js';
import { baseName, type ShellCommand, type ShellReading, type ShellWord } from './shell-reading.js';
import { type TakenFiles, type Takings, takingsOf } from './taken-files.js';
import { isUnknownName, type NamedPath, namesInTexts, namesOf, printsTexts } from './word-names.js';

export interface NamedFiles {
  readonly files: readonly ResolvedPath[];
  /** Parts of words that may be names. */
  readonly guesses: readonly ResolvedPath[];
  readonly patterns: readonly string[];
  /** Below folders that a command takes as a whole. */
  readonly taken: readonly TakenPaths[];
  readonly isOpen: boolean;
}

export interface TakenPaths extends TakenFolder {
  readonly scope: ListingScope;
  readonly access: TakenFiles['access'];
}

export const NOTHING_NAMED: NamedFiles = { files: [], guesses: [], patterns: [], taken: [], isOpen: false };

/** Deeper files are not compared, to bound the time. */
const MAX_STEPS = 100;
const MAX_NAMED_CHARACTERS = 500_000;
/** More are not looked up. */
export const MAX_NAMES = 1000;
const MAX_PATTERNS = 50;
const PRINT_PROGRAMS = new Set(['echo', 'printf']);
/** Make links, or decide how patterns expand, so that names mean something else afterwards. */
const CHANGES_NAMES = /^(?:ln|link|mount|shopt|unshare|chroot|bwrap)$/;

export interface WordsOfReading {
  readonly names: readonly NamedPath[];
  /** Absolute, as the shell expands them. */
  readonly patterns: readonly string[];
  readonly taken: readonly TakenFiles[];
  readonly isOpen: boolean;
}

export function wordsOf(reading: ShellReading, anchors: Pick<RuleAnchors, 'home' | 'root'>): WordsOfReading {
  const names = new Map<string, NamedPath>();
  const patterns = new Set<string>();
  const taken = new Map<string, TakenFiles>();
  const take = (files: TakenFiles) =>
    taken.set(`${files.scope} ${files.access} ${files.globs?.join()} ${files.folder}`, files);
  let isOpen = reading.unclear !== undefined || opaqueReason(reading) !== undefined || changesNames(reading);
  isOpen ||= [...reading.files, ...reading.innerFiles].some(({ path }) => path === undefined);
  for (const { path } of reading.innerFiles) if (path !== undefined) names.set(path, { name: path, isGuess: false });
  // The words of a launcher occur in several readings.
  const seen = new Set<ShellWord>();
  const wrapped = new Set(reading.commands.flatMap(({ words, wraps }) => (wraps === undefined ? [] : words)));
  const isConsumed = !reading.commands.every(printsTexts);
  let characters = 0;
  for (const command of [...reading.commands, ...reading.inner]) {
    const [program] = command.words;
    const isInner = program !== undefined && wrapped.has(program) && command.wraps === undefined;
    const takings = isInner ? undefined : takingsIn(command, reading);
    isOpen ||= takings?.isOpen === true || (command.folders === undefined && command.words.length > 1);
    takings?.files.forEach(take);
    const namedFolders = takings?.takesNamedFolders === true;
    const files = programFiles(command);
    isOpen ||= files === undefined;
    for (const file of files ?? []) {
      for (const name of filesIn(command.folders, file) ?? []) names.set(name, { name, isGuess: false });
    }
    const onlySays = PRINT_PROGRAMS.has(program?.text ?? '');
    for (const word of [...command.assignments, ...command.words]) {
      if (seen.has(word) && !namedFolders) continue;
      seen.add(word);
      isOpen ||= isUnknownName(word) && (!onlySays || word.certainty === 'glob');
      const found = namesOf(word, { ...command, isHandedOver: onlySays && isConsumed }, anchors);
      if (found === undefined) return { names: [], patterns: [], taken: [], isOpen: true };
      for (const { name } of found) characters += name.length;
      if (characters > MAX_NAMED_CHARACTERS) {
        return { names: [...names.values()], patterns: [...patterns], taken: [...taken.values()], isOpen: true };
      }
      if (namedFolders && word !== program && word.certainty !== 'glob') {
        for (const { name } of found) take({ folder: name, scope: 'all', access: 'any' });
      }
      for (const named of found) {
        if (word.certainty === 'glob') patterns.add(named.name);
        else if (names.get(named.name)?.isGuess !== false) names.set(named.name, named);
      }
    }
  }
  const inTexts = namesInTexts(reading, anchors);
  for (const named of inTexts ?? []) if (!names.has(named.name)) names.set(named.name, named);
  isOpen ||= inTexts === undefined || names.size > MAX_NAMES || patterns.size > MAX_PATTERNS;
  return {
    names: [...names.values()].slice(0, MAX_NAMES),
    patterns: [...patterns].slice(0, MAX_PATTERNS),
    taken: [...taken.values()],
    isOpen,
  };
}

/** Files in the programs of sed and awk; undefined if they are not known. */
function programFiles({ words: [program, ...rest] }: ShellCommand): readonly string[] | undefined {
  const args = rest.map(({ text }) => text);
  switch (carrierName(program?.text ?? '')) {
    case 'sed':
      // A suffix with a path puts copies elsewhere.
      if (args.some((word) => /^(?:-[A-Za-z]*i|--in-place=).*[/*]/.test(word))) return undefined;
      return readSedScript(sedScriptOf(args).script)?.files;
    case 'awk':
      return args.some((word) => /getline|>|@|ARG[VC]/.test(word)) ? undefined : [];
    default:
      return [];
  }
}

function takingsIn(command: ShellCommand, reading: ShellReading): Takings {
  return takingsOf(command.wraps ?? command, reading);
}

function changesNames({ commands, inner, files, assigned }: ShellReading): boolean {
  if (assigned.some(({ text }) => /^(?:HOME|GLOBIGNORE|BASHOPTS|SHELLOPTS|OLDPWD|CDPATH)\+?=/.test(text))) return true;
  const all = [...commands, ...inner];
  if (commands.length + files.length < 2) return all.some(({ words: [, word] }) => /^[-+]O/.test(word?.text ?? ''));
  return all.some(
    ({ words: [program, ...args] }) =>
      CHANGES_NAMES.test(program?.text ?? '') ||
      (program?.text === 'set' && args.some(({ text }) => /^[-+]\w*P|physical/.test(text))),
  );
}

export function namedFiles(facts: ShellFacts, anchors: RuleAnchors): NamedFiles {
  const words = wordsOf(facts.reading, anchors);
  const files: ResolvedPath[] = [...facts.paths.values()];
  const guesses: ResolvedPath[] = [];
  for (const { name, isGuess } of words.names) {
    const found = [asFile(name), ...(facts.words?.get(name) ?? [])];
    (isGuess ? guesses : files).push(...found);
  }
  for (const pattern of words.patterns) {
    (pattern.includes('[') ? guesses : files).push(...(facts.words?.get(pattern) ?? []));
  }
  const shallow = files.filter(isShallow);
  const taken = words.taken.flatMap(({ folder, scope, access, globs }): TakenPaths[] => {
    const unknown: TakenFolder = { folder: asFile(folder), paths: undefined };
    const found = facts.below === undefined ? unknown : facts.below.get(listingKey({ folder, scope }));
    if (found === undefined) return [];
    return [
      { folder: found.folder, paths: globs === undefined ? found.paths : matching(found.paths, globs), scope, access },
    ];
  });
  // A file that does not exist yet is not expanded.
  const patterns = words.patterns.filter((pattern) => facts.words?.has(pattern) !== true);
  const isOpen =
    words.isOpen ||
    (facts.words !== undefined && patterns.length > 0) ||
    shallow.length < files.length ||
    !guesses.every(isShallow);
  return { files: shallow, guesses: guesses.filter(isShallow), patterns, taken, isOpen };
}

function matching(paths: TakenFolder['paths'], globs: readonly string[]): TakenFolder['paths'] {
  const compiled = globs.map((glob) => compileGlob(glob, { ignoreCase: true }));
  return paths?.filter(({ path }) => compiled.some((matches) => matches(foldCase(baseName(path)))));
}

export function takesHome(command: ShellCommand, reading: ShellReading, { home, realHome }: RuleAnchors): boolean {
  const takings = takingsOf(command, reading);
  const folders = takings.files.flatMap(({ folder, scope }) => (scope === 'all' ? [folder] : []));
  if (takings.takesNamedFolders && home !== undefined) {
    for (const word of command.words.slice(1)) {
      for (const { name } of namesOf(word, command, { home, root: '/' }) ?? []) folders.push(asFile(name).path);
    }
  }
  const homes = [home, realHome].filter((folder) => folder !== undefined);
  return folders.some((folder) => homes.some((path) => `${path}/`.startsWith(`${folder === '/' ? '' : folder}/`)));
}

export function filesOf(command: ShellCommand, { words }: ShellFacts, anchors: RuleAnchors): ResolvedPath[] {
  return command.words.flatMap((word) =>
    (namesOf(word, command, anchors) ?? []).flatMap(({ name }) => [asFile(name), ...(words?.get(name) ?? [])]),
  );
}

export function listingKey({ folder, scope }: Pick<TakenFiles, 'folder' | 'scope'>): string {
  return `${scope} ${folder}`;
}

function isShallow({ realPath }: ResolvedPath): boolean {
  return realPath.split('/').length <= MAX_STEPS;
}

export function asFile(name: string): ResolvedPath {
  const names: string[] = [];
  for (const step of name.split('/')) {
    if (step === '..') names.pop();
    else if (step !== '' && step !== '.') names.push(step);
  }
  const path = `/${names.join('/')}`;
  return { path, realPath: path, insideRoots: false };
}
