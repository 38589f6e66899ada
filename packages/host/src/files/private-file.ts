import { chmod, mkdir, open, readFile, rename, rm } from 'node:fs/promises';
import { dirname } from 'node:path';
import { AgentError } from '@qwen/protocol';
import { removeStaleDrafts } from './stale-drafts.js';

/** The text of a file, or undefined when there is none. */
export async function readOptionalFile(path: string): Promise<string | undefined> {
  try {
    return await readFile(path, 'utf8');
  } catch (error) {
    if (isMissing(error)) return undefined;
    throw new AgentError('storage_unwritable', `${path} cannot be read.`, { cause: error });
  }
}

export interface ReplaceOptions {
  /** Default 0600, and 0700 for folders that are made on the way. */
  readonly mode?: number;
}

/**
 * Puts a file in the place of the old one in one step: a reader sees the one or the other, and a crash leaves one of
 * them. Drafts that a crash left in the folder are removed on the way (F93). Throws `storage_unwritable`.
 */
export async function replaceFile(path: string, text: string, { mode = 0o600 }: ReplaceOptions = {}): Promise<void> {
  const draft = `${path}.${crypto.randomUUID()}`;
  try {
    await mkdir(dirname(path), { recursive: true, mode: 0o700 });
    const file = await open(draft, 'wx', mode);
    try {
      await file.writeFile(text);
      await file.sync();
    } finally {
      await file.close();
    }
    await chmod(draft, mode);
    await rename(draft, path);
  } catch (cause) {
    await rm(draft, { force: true });
    throw new AgentError('storage_unwritable', `${path} cannot be written.`, { cause });
  }
  await removeStaleDrafts(dirname(path));
}

function isMissing(error: unknown): boolean {
  return error instanceof Error && 'code' in error && error.code === 'ENOENT';
}
