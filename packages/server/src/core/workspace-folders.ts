import { stat } from 'node:fs/promises';
import { homedir } from 'node:os';
import { join, resolve } from 'node:path';
import { AgentError } from '@qwen/protocol';
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

/** Which of these are folders; each other one gets the sentence of the document. */
export async function sortFolders(
  paths: readonly string[],
  base: string,
): Promise<AddedDirectories & { readonly folders: readonly string[] }> {
  const looked = await Promise.all(
    paths.map(async (path) => {
      const folder = toAbsolutePath(path, base);
      return { path, folder, isThere: await isFolder(folder) };
    }),
  );
  const there = looked.filter(({ isThere }) => isThere);
  return {
    folders: there.map(({ folder }) => folder),
    added: there.map(({ path }) => path),
    errors: looked.filter(({ isThere }) => !isThere).map(({ path }) => `Error adding '${path}': Directory not found`),
  };
}

async function isFolder(path: string): Promise<boolean> {
  // What cannot be looked at, such as a name with a NUL in it, is no folder for us.
  const facts = await stat(path).catch(() => undefined);
  return facts?.isDirectory() === true;
}
