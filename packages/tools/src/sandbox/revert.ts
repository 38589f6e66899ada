import {
  chmodSync,
  closeSync,
  constants,
  type Dirent,
  existsSync,
  lstatSync,
  openSync,
  readdirSync,
  readlinkSync,
  renameSync,
  symlinkSync,
} from 'node:fs';
import { basename, dirname, join } from 'node:path';
import { AgentError, messageOf } from '@qwen/protocol';
import { linkTarget } from './git-files.js';
import type { Watched } from './mounts.js';

const REMOVED_SUFFIX = '.removed-by-sandbox';

/**
 * Renames what a command must not have created, and returns its paths. Never removes content: a user may have created
 * the file meanwhile. Throws `sandbox_unavailable` after all others if one cannot be renamed.
 */
export function revert(watched: readonly Watched[]): string[] {
  const problems: string[] = [];
  const renamed = watched.flatMap((one) => {
    try {
      return revertOne(one);
    } catch {
      // A command can take from its user the right to see what is in a folder, or to rename it.
      makeAccessible(dirname(one.path));
    }
    try {
      return revertOne(one);
    } catch (thrown) {
      problems.push(`${one.path}: ${messageOf(thrown)}`);
      return [];
    }
  });
  if (problems.length === 0) return renamed;
  throw new AgentError(
    'sandbox_unavailable',
    `A command may have created protected files, which cannot be renamed: ${problems.join('; ')}. Delete them.`,
  );
}

/** With their targets. git only reads objects. */
export function linksIn(folders: readonly string[]): ReadonlyMap<string, string> {
  const links = new Map<string, string>();
  const list = (folder: string) => {
    for (const entry of entriesOf(folder)) {
      const path = join(folder, entry.name);
      if (entry.isSymbolicLink()) links.set(path, linkTarget(path) ?? '');
      else if (entry.isDirectory() && !(entry.name === 'objects' && folders.includes(folder))) list(path);
    }
  };
  folders.forEach(list);
  return links;
}

export function changedLinks(before: ReadonlyMap<string, string>, folders: readonly string[]): Watched[] {
  return [...linksIn(folders)].flatMap(([path, target]) =>
    before.get(path) === target ? [] : [{ path, target: before.get(path) }],
  );
}

function entriesOf(folder: string): Dirent[] {
  try {
    return readdirSync(folder, { withFileTypes: true });
  } catch {
    // A command took the right to list it, or its path is too long, for git too.
  }
  try {
    makeAccessible(folder);
    return readdirSync(folder, { withFileTypes: true });
  } catch {
    return [];
  }
}

function revertOne({ path, target }: Watched): string[] {
  const link = linkAbove(path);
  if (link !== undefined) return existsSync(path) && rename(link) ? [link] : [];
  const stats = lstatSync(path, { throwIfNoEntry: false });
  if (stats === undefined && target === undefined) return [];
  if (stats?.isSymbolicLink() === true && readlinkSync(path) === target) return [];
  if (stats !== undefined && !rename(path)) return [];
  if (target !== undefined) symlinkSync(target, path);
  return [path];
}

function makeAccessible(folder: string): void {
  const parent = dirname(folder);
  if (parent !== folder) makeAccessible(parent);
  const stats = lstatSync(folder, { throwIfNoEntry: false });
  if (stats?.isDirectory() !== true || stats.uid !== process.getuid?.()) return;
  if ((stats.mode & constants.S_IRWXU) !== constants.S_IRWXU) chmodSync(folder, stats.mode | constants.S_IRWXU);
}

/** A link that replaces a folder of the path: the rest may be outside. */
function linkAbove(path: string): string | undefined {
  const parent = dirname(path);
  if (parent === path) return undefined;
  const above = linkAbove(parent);
  return above ?? (lstatSync(parent, { throwIfNoEntry: false })?.isSymbolicLink() === true ? parent : undefined);
}

/** Other commands may replace its folder by a link meanwhile, so it is renamed in the folder that is open. */
function rename(path: string): boolean {
  const folder = openSync(dirname(path), constants.O_RDONLY | constants.O_DIRECTORY);
  try {
    const opened = `/proc/self/fd/${folder}`;
    if (readlinkSync(opened) !== dirname(path)) return false;
    const name = basename(path);
    renameSync(join(opened, name), freeName(join(opened, name)));
    return true;
  } finally {
    closeSync(folder);
  }
}

function freeName(path: string): string {
  let name = path + REMOVED_SUFFIX;
  for (let count = 2; lstatSync(name, { throwIfNoEntry: false }) !== undefined; count += 1) {
    name = `${path}${REMOVED_SUFFIX}-${count}`;
  }
  return name;
}
