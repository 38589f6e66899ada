import { realpathSync } from 'node:fs';
import { isAbsolute, relative, sep } from 'node:path';

/** Undefined if there is nothing at the path, or a link on the way is broken. */
export function realPathOf(path: string): string | undefined {
  try {
    return realpathSync.native(path);
  } catch {
    return undefined;
  }
}

/** Whether a path is a folder or below it. Both are absolute; links are not followed. */
export function isInside(path: string, folder: string): boolean {
  const way = relative(folder, path);
  return way === '' || (way !== '..' && !way.startsWith(`..${sep}`) && !isAbsolute(way));
}
