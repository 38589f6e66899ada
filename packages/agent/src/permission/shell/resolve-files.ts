import type { GitHazards, PathResolver, ResolvedPath } from '../../ports.js';
import type { ShellFacts, TakenFolder } from '../call-facts.js';
import type { RuleSet } from '../rule-set.js';
import { listingKey, MAX_NAMES, type WordsOfReading, wordsOf } from './named-files.js';
import { foundFilesKey, gitFoldersOf } from './reading-guard.js';
import type { ShellReading, ShellWord } from './shell-reading.js';

/** With more files the command needs a question. */
const MAX_FILES = 200;
/** A stream of the command itself. */
const OWN_STREAM = /^\/dev\/(?:stdin|stdout|stderr|tty|null|fd\/\d+)$/;
const MAX_GIT_FOLDERS = 8;

export interface Lookup {
  readonly cwd: string;
  readonly paths: PathResolver;
  /** Its real path. */
  readonly workspace: string;
  /** Missing: the words of commands are not resolved. */
  readonly rules?: Pick<RuleSet, 'anchors' | 'concernsFiles'>;
}

export async function resolveFiles(reading: ShellReading, lookup: Lookup): Promise<Omit<ShellFacts, 'reading'>> {
  const looked = reading.commands.flatMap(({ readOnlyFiles, wraps }) => [
    ...(readOnlyFiles ?? []),
    ...(wraps?.readOnlyFiles ?? []),
  ]);
  const opened = reading.files.flatMap(({ path }) => (path === undefined ? [] : [path]));
  const names = [...new Set([...opened, ...looked])].filter((name) => !OWN_STREAM.test(name)).slice(0, MAX_FILES);
  const found = new Map<string, ResolvedPath>();
  await Promise.all(
    names.map(async (name) => {
      const path = await resolveAsSystem(name, lookup).catch(() => undefined);
      if (path !== undefined) found.set(name, path);
    }),
  );
  const [folders, git, files, named] = await Promise.all([
    foldersIn(reading, lookup),
    hazardsIn(reading, lookup),
    hazardsOfFound(reading, lookup),
    namedIn(reading, lookup),
  ]);
  return { paths: found, folders, git, found: files, ...named };
}

async function namedIn(reading: ShellReading, lookup: Lookup): Promise<Pick<ShellFacts, 'words' | 'below'>> {
  const { rules } = lookup;
  if (rules === undefined) return {};
  const named = wordsOf(reading, rules.anchors);
  const [words, below] = await Promise.all([resolveWords(named, lookup), listTaken(named, lookup)]);
  return { words, ...(below !== undefined && { below }) };
}

async function resolveWords(
  { names, patterns }: WordsOfReading,
  lookup: Lookup,
): Promise<Map<string, readonly ResolvedPath[]>> {
  const resolved = async (name: string): Promise<readonly ResolvedPath[]> => {
    if (OWN_STREAM.test(name)) return [];
    const path = await resolveAsSystem(name, lookup).catch(() => undefined);
    return path === undefined ? [] : [path];
  };
  type Entry = readonly [string, readonly ResolvedPath[]];
  const expanded = async (pattern: string): Promise<readonly Entry[]> => {
    const found = await lookup.paths.expand?.(pattern);
    return found === undefined ? [] : [[pattern, (await Promise.all(found.map(resolved))).flat()]];
  };
  const entries = await Promise.all([
    ...names.map(async ({ name }): Promise<readonly Entry[]> => [[name, await resolved(name)]]),
    ...patterns.map(expanded),
  ]);
  return new Map(entries.flat());
}

/** Undefined if there are too many. */
async function listTaken({ taken }: WordsOfReading, lookup: Lookup): Promise<Map<string, TakenFolder> | undefined> {
  const { paths, rules } = lookup;
  if (taken.length > MAX_NAMES) return undefined;
  const entries = taken.map(async ({ folder, scope }): Promise<readonly [string, TakenFolder][]> => {
    if ((await paths.isFolder?.(folder)) === false) return [];
    const found = await resolveAsSystem(folder, lookup);
    const key = listingKey({ folder, scope });
    if (rules?.concernsFiles !== true) return [[key, { folder: found, paths: undefined }]];
    const names = await paths.list?.(found.realPath, scope);
    const at = names?.map((name) => ({ path: name, realPath: name, insideRoots: found.insideRoots }));
    return [[key, { folder: found, paths: at }]];
  });
  const all = await Promise.all(entries);
  return new Map(all.flat());
}

async function foldersIn({ commands }: ShellReading, { paths }: Lookup): Promise<ReadonlySet<string>> {
  const all = commands.flatMap((command) => [command, ...(command.wraps === undefined ? [] : [command.wraps])]);
  const names = all.flatMap(({ followsLinks, readOnlyFiles }) => (followsLinks === true ? (readOnlyFiles ?? []) : []));
  const folders = await Promise.all(names.map(async (name) => (await paths.isFolder?.(name)) ?? true));
  return new Set(names.filter((_, index) => folders[index]));
}

async function hazardsIn(reading: ShellReading, { paths, workspace }: Lookup): Promise<Map<string, GitHazards>> {
  const found = new Map<string, GitHazards>();
  if (paths.gitHazards === undefined) return found;
  const isSearch = reading.commands.some(({ git, words }) => git !== undefined && words.some(isGrep));
  const use = isSearch ? 'searching' : 'reading';
  for (const folder of gitFoldersOf(reading)) {
    const isTooMuch = found.size >= MAX_GIT_FOLDERS;
    const hazards = isTooMuch
      ? { everywhere: 'Git runs in too many folders.' }
      : paths.gitHazards(folder, workspace, use);
    found.set(folder, await hazards);
  }
  return found;
}

async function hazardsOfFound(
  { commands }: ShellReading,
  { paths, workspace }: Lookup,
): Promise<Map<string, string | undefined>> {
  const found = new Map<string, string | undefined>();
  if (paths.foundFilesHazard === undefined) return found;
  for (const { finds, folders = [] } of commands.flatMap((command) => [command, command.wraps ?? command])) {
    if (finds === undefined) continue;
    for (const folder of folders) {
      const key = foundFilesKey(finds, folder);
      if (found.has(key) || found.size >= MAX_GIT_FOLDERS) continue;
      found.set(key, await paths.foundFilesHazard(finds, folder, workspace));
    }
  }
  return found;
}

function isGrep({ text }: ShellWord): boolean {
  return text === 'grep';
}

/** Like the system: `..` after a link leaves the link's target. */
async function resolveAsSystem(name: string, { cwd, paths }: Lookup): Promise<ResolvedPath> {
  let path = '';
  for (const step of name.split('/')) {
    if (step === '' || step === '.') continue;
    if (step !== '..') {
      path += `/${step}`;
      continue;
    }
    const { realPath } = await paths.resolve(path === '' ? '/' : path, cwd);
    path = realPath.slice(0, realPath.lastIndexOf('/'));
  }
  return paths.resolve(path === '' ? '/' : path, cwd);
}
