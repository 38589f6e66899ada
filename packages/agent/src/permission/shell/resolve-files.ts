import type { GitHazards, PathResolver, ResolvedPath } from '../../ports.js';
import type { ShellFacts } from '../call-facts.js';
import { gitFoldersOf } from './reading-guard.js';
import type { ShellReading } from './shell-reading.js';

/** With more files the command needs a question. */
const MAX_FILES = 200;
/** Git is started for each. */
const MAX_GIT_FOLDERS = 8;

export interface Lookup {
  readonly cwd: string;
  readonly paths: PathResolver;
  /** Its real path. */
  readonly workspace: string;
}

export async function resolveFiles(reading: ShellReading, lookup: Lookup): Promise<Omit<ShellFacts, 'reading'>> {
  const looked = reading.commands.flatMap(({ readOnlyFiles, wraps }) => [
    ...(readOnlyFiles ?? []),
    ...(wraps?.readOnlyFiles ?? []),
  ]);
  const opened = reading.files.flatMap(({ path }) => (path === undefined ? [] : [path]));
  const names = [...new Set([...opened, ...looked])].slice(0, MAX_FILES);
  const found = new Map<string, ResolvedPath>();
  await Promise.all(
    names.map(async (name) => {
      const path = await resolveAsSystem(name, lookup).catch(() => undefined);
      if (path !== undefined) found.set(name, path);
    }),
  );
  const [folders, git] = await Promise.all([foldersIn(reading, lookup), hazardsIn(reading, lookup)]);
  return { paths: found, folders, git };
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
  for (const folder of gitFoldersOf(reading)) {
    const isTooMuch = found.size >= MAX_GIT_FOLDERS;
    const hazards = isTooMuch ? { everywhere: 'Git runs in too many folders.' } : paths.gitHazards(folder, workspace);
    found.set(folder, await hazards);
  }
  return found;
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
