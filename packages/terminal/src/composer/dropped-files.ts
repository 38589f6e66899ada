import { stat } from 'node:fs/promises';
import { isAbsolute, relative, sep } from 'node:path';
import { escapePath } from '@qwen/commands';
import { AgentError } from '@qwen/protocol';
import type { DroppedFile } from './composer-ports.js';
import { droppedPaths, type PathStyle } from './dropped-paths.js';

export interface DroppedFilesOptions extends PathStyle {
  /** Absolute; files in it get relative names. */
  readonly cwd: string;
}

/** Undefined unless the whole text consists of paths of existing files and folders. */
export async function readDroppedFiles(
  text: string,
  options: DroppedFilesOptions,
): Promise<readonly DroppedFile[] | undefined> {
  const paths = droppedPaths(text, options);
  if (paths === undefined) return undefined;
  const found = await Promise.all(paths.map((path) => readDropped(path, options.cwd)));
  return found.every((file) => file !== undefined) ? found : undefined;
}

async function readDropped(path: string, cwd: string): Promise<DroppedFile | undefined> {
  const stats = await stat(path).catch(() => undefined);
  if (stats === undefined) return undefined;
  const reference = { path: escapePath(fromFolder(path, cwd)) };
  if (!stats.isFile()) return { kind: 'reference', ...reference };
  try {
    const { readImageFile } = await import('./image-file.js');
    const image = await readImageFile(path);
    return image === undefined ? { kind: 'reference', ...reference } : { kind: 'image', image };
  } catch (thrown) {
    // Sending the prompt reports unreadable files, with the rules for file references.
    if (!AgentError.is(thrown)) return { kind: 'reference', ...reference };
    return { kind: 'refused', ...reference, message: thrown.message };
  }
}

function fromFolder(path: string, cwd: string): string {
  const inside = relative(cwd, path);
  const isInside = inside !== '' && inside !== '..' && !inside.startsWith(`..${sep}`) && !isAbsolute(inside);
  return isInside ? inside : path;
}
