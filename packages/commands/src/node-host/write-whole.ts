import { randomUUID } from 'node:crypto';
import { mkdir, open, rename, rm, stat } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { AgentError } from '@qwen/protocol';

export interface WholeFile {
  /** Absolute. */
  readonly path: string;
  readonly text: string;
  /** Who may read it, unless it is there already: then that stays as it is. Folders above it that are made let the same people in. */
  readonly access: 'user' | 'everyone';
}

/**
 * Writes a file whole or not at all, and makes the folders above it. Rejects with `storage_full` and
 * `storage_unwritable`.
 */
export async function writeWhole({ path, text, access }: WholeFile): Promise<void> {
  const folder = dirname(path);
  const temporary = join(folder, `.${randomUUID()}.tmp`);
  try {
    await mkdir(folder, { recursive: true, mode: access === 'user' ? 0o700 : 0o777 });
    const before = await stat(path).catch(() => undefined);
    await writeSynced({ path: temporary, text, access }, before?.mode);
    await rename(temporary, path);
  } catch (error) {
    await rm(temporary, { force: true }).catch(() => undefined);
    throw storageError(error, `${path} cannot be written`);
  }
}

async function writeSynced({ path, text, access }: WholeFile, mode: number | undefined): Promise<void> {
  const file = await open(path, 'wx', access === 'user' ? 0o600 : 0o666);
  try {
    if (mode !== undefined) await file.chmod(mode & 0o777);
    await file.writeFile(text);
    await file.sync();
  } finally {
    await file.close();
  }
}

/** A failure of the file system, as one of ours. */
export function storageError(cause: unknown, what: string): AgentError {
  const code = errorCode(cause);
  const ours = code === 'ENOSPC' || code === 'EDQUOT' ? 'storage_full' : 'storage_unwritable';
  return new AgentError(ours, `${what}: ${code ?? 'unknown reason'}`, { cause });
}

/** The code of a system call that failed, e.g. `ENOENT`. */
export function errorCode(error: unknown): string | undefined {
  return error instanceof Error && 'code' in error && typeof error.code === 'string' ? error.code : undefined;
}
