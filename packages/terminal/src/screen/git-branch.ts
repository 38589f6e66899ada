import { existsSync, readFileSync, statSync } from 'node:fs';
import { dirname, join, resolve } from 'node:path';

/** Undefined outside a work tree and for a detached HEAD. */
export function readBranch(folder: string): string | undefined {
  const entry = findGit(folder);
  if (entry === undefined) return undefined;
  try {
    const head = readFileSync(join(gitFolder(entry), 'HEAD'), 'utf8');
    return /^ref: refs\/heads\/(.+)$/m.exec(head)?.[1];
  } catch {
    return undefined;
  }
}

function findGit(folder: string): string | undefined {
  const entry = join(folder, '.git');
  if (existsSync(entry)) return entry;
  const above = dirname(folder);
  return above === folder ? undefined : findGit(above);
}

/** In linked work trees and submodules `.git` is a file with the path. */
function gitFolder(entry: string): string {
  if (statSync(entry).isDirectory()) return entry;
  const [, named = ''] = /^gitdir: (.+)$/m.exec(readFileSync(entry, 'utf8')) ?? [];
  return resolve(dirname(entry), named);
}
