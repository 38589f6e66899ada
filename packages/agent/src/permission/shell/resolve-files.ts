import type { PathResolver, ResolvedPath } from '../../ports.js';
import type { ShellReading } from './shell-reading.js';

/** More files than these are not looked up; then the command is asked about. */
const MAX_FILES = 200;

export interface Lookup {
  readonly cwd: string;
  readonly paths: PathResolver;
}

/** Finds the real path of every file that a reading names. What cannot be found is left out, and so never let through. */
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

/** As the system opens it: `..` behind a link leads out of the folder that the link points at, not back. */
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
