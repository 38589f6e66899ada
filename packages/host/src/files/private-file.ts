import { readFile } from 'node:fs/promises';
import { dirname } from 'node:path';
import { AgentError, systemCodeOf } from '@qwen/protocol';
import { removeStaleDrafts, writeFileAtomic } from '@qwen/tools/files';

/** Undefined for a missing file. */
export async function readOptionalFile(path: string): Promise<string | undefined> {
  try {
    return await readFile(path, 'utf8');
  } catch (error) {
    if (systemCodeOf(error) === 'ENOENT') return undefined;
    throw new AgentError('storage_unwritable', `${path} cannot be read.`, { cause: error });
  }
}

export interface ReplaceOptions {
  /** Default 0600. Folders that are created get 0700. */
  readonly mode?: number;
}

/** Writes atomically and removes temporary files of killed processes. Throws `storage_unwritable`. */
export async function replaceFile(path: string, text: string, { mode = 0o600 }: ReplaceOptions = {}): Promise<void> {
  try {
    await writeFileAtomic(path, text, { mode, folderMode: 0o700 });
  } catch (cause) {
    throw new AgentError('storage_unwritable', `${path} cannot be written.`, { cause });
  }
  await removeStaleDrafts(dirname(path));
}
