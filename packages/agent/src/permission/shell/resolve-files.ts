import type { PathResolver, ResolvedPath } from '../../ports.js';
import type { ShellReading } from './shell-reading.js';

/** With more files the command needs a question. */
const MAX_FILES = 200;

export interface Lookup {
  readonly cwd: string;
  readonly paths: PathResolver;
}

export async function resolveFiles(reading: ShellReading, lookup: Lookup): Promise<ReadonlyMap<string, ResolvedPath>> {
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
