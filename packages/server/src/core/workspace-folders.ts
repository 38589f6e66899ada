import { realpath, stat } from 'node:fs/promises';
import { homedir } from 'node:os';
import { join, resolve } from 'node:path';
import { AgentError } from '@qwen/protocol';
import { whyNoRoot } from '@qwen/tools/roots';
import type { AddedDirectories } from './session-service.js';

const HOME = /^(?:~|%userprofile%)(?=$|[\\/])/i;

/** The absolute path that somebody wrote: relative ones count from `base`, `~` and `%userprofile%` are the home (Q-42 … Q-45). */
export function toAbsolutePath(path: string, base: string): string {
  const home = HOME.exec(path);
  if (home === null) return resolve(base, path);
  return join(homedir(), path.slice(home[0].length).replaceAll('\\', '/'));
}

/** The absolute path of a folder that is there. Errors: `cwd_missing`. */
export async function findFolder(path: string, base: string): Promise<string> {
  const folder = toAbsolutePath(path, base);
  if (await isFolder(folder)) return folder;
  throw new AgentError('cwd_missing', `The workspace ${path} is not a folder.`);
}

/**
 * Which of these may be added to a workspace. Each other one gets a sentence: what is no folder, and what no agent
 * would take, such as the root of a file system or the home folder, by whatever links (S42).
 */
export async function sortFolders(
  paths: readonly string[],
  base: string,
): Promise<AddedDirectories & { readonly folders: readonly string[] }> {
  const home = await realPathOf(homedir());
  const looked = await Promise.all(
    paths.map(async (path) => {
      const folder = toAbsolutePath(path, base);
      return { path, folder, problem: await whatIsWrong(folder, home) };
    }),
  );
  const fit = looked.filter(({ problem }) => problem === undefined);
  return {
    folders: fit.map(({ folder }) => folder),
    added: fit.map(({ path }) => path),
    errors: looked.flatMap(({ path, problem }) =>
      problem === undefined ? [] : [`Error adding '${path}': ${problem}`],
    ),
  };
}

async function whatIsWrong(folder: string, home: string): Promise<string | undefined> {
  if (!(await isFolder(folder))) return 'Directory not found';
  const what = whyNoRoot(await realPathOf(folder), home);
  return what === undefined ? undefined : `It is ${what}, which cannot be added to the workspace`;
}

function realPathOf(path: string): Promise<string> {
  return realpath(path).catch(() => path);
}

async function isFolder(path: string): Promise<boolean> {
  // What cannot be looked at, such as a name with a NUL in it, is no folder for us.
  const facts = await stat(path).catch(() => undefined);
  return facts?.isDirectory() === true;
}
