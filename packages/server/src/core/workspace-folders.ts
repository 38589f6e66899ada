import { realpath, stat } from 'node:fs/promises';
import { homedir } from 'node:os';
import { join, resolve } from 'node:path';
import { AgentError } from '@qwen/protocol';
import { rootProblem } from '@qwen/tools/roots';
import type { AddedDirectories } from './session-service.js';

const HOME = /^(?:~|%userprofile%)(?=$|[\\/])/i;

/** Also resolves `~` and `%userprofile%`. */
export function toAbsolutePath(path: string, base: string): string {
  const home = HOME.exec(path);
  if (home === null) return resolve(base, path);
  return join(homedir(), path.slice(home[0].length).replaceAll('\\', '/'));
}

/** Errors: `cwd_missing`. */
export async function findFolder(path: string, base: string): Promise<string> {
  const folder = toAbsolutePath(path, base);
  if (await isFolder(folder)) return folder;
  throw new AgentError('cwd_missing', `The workspace ${path} does not exist or is not a folder.`);
}

/** Agents refuse folders such as the file system root or the home folder, also through links. */
export async function sortFolders(
  paths: readonly string[],
  base: string,
): Promise<AddedDirectories & { readonly folders: readonly string[] }> {
  const home = await realPathOf(homedir());
  const checked = await Promise.all(
    paths.map(async (path) => {
      const folder = toAbsolutePath(path, base);
      return { path, folder, problem: await problemOf(folder, home) };
    }),
  );
  const valid = checked.filter(({ problem }) => problem === undefined);
  return {
    folders: valid.map(({ folder }) => folder),
    added: valid.map(({ path }) => path),
    errors: checked.flatMap(({ path, problem }) =>
      problem === undefined ? [] : [`Error adding '${path}': ${problem}`],
    ),
  };
}

async function problemOf(folder: string, home: string): Promise<string | undefined> {
  if (!(await isFolder(folder))) return 'Directory not found';
  const reason = rootProblem(await realPathOf(folder), home);
  return reason === undefined ? undefined : `It is ${reason}, which cannot be added to the workspace`;
}

function realPathOf(path: string): Promise<string> {
  return realpath(path).catch(() => path);
}

async function isFolder(path: string): Promise<boolean> {
  // Also rejects names that contain NUL.
  const stats = await stat(path).catch(() => undefined);
  return stats?.isDirectory() === true;
}
