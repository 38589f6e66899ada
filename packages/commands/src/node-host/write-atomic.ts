import { stat } from 'node:fs/promises';
import { AgentError, systemCodeOf } from '@qwen/protocol';
import { writeFileAtomic } from '@qwen/tools/files';

export interface AtomicWrite {
  /** Absolute. */
  readonly path: string;
  readonly text: string;
  /** Mode of new files and folders. An existing file keeps its mode. */
  readonly access: 'user' | 'everyone';
}

/** Writes a file atomically and creates its folders. Rejects with `storage_full` and `storage_unwritable`. */
export async function writeAtomic({ path, text, access }: AtomicWrite): Promise<void> {
  const isPrivate = access === 'user';
  try {
    const before = await stat(path).catch(() => undefined);
    const mode = before === undefined ? (isPrivate ? 0o600 : undefined) : before.mode & 0o777;
    await writeFileAtomic(path, text, { mode, folderMode: isPrivate ? 0o700 : 0o777 });
  } catch (error) {
    throw storageError(error, `Cannot write ${path}`);
  }
}

export function storageError(cause: unknown, what: string): AgentError {
  const code = systemCodeOf(cause);
  const ours = code === 'ENOSPC' || code === 'EDQUOT' ? 'storage_full' : 'storage_unwritable';
  return new AgentError(ours, `${what}: ${code ?? 'unknown reason'}`, { cause });
}
