import { createPathResolver } from '@qwen/tools';
import { withEntry } from './memory-entry.js';
import { workspaceFiles } from './workspace-file-access.js';

/** Where an entry of `/memory add` goes. */
export interface MemoryPlace {
  /** The project, or the folder of the user's own files; absolute. It need not be there. */
  readonly folder: string;
  readonly entry: string;
}

/**
 * Adds an entry to QWEN.md of a folder and gives its absolute path. Rejects with `permission_denied` when that file is a
 * link that leads out of the folder, and with `storage_unwritable`.
 */
export async function addMemory({ folder, entry }: MemoryPlace): Promise<string> {
  const files = workspaceFiles({ cwd: folder, paths: createPathResolver() });
  const before = await files.read('QWEN.md');
  return files.write('QWEN.md', withEntry(before ?? '', entry));
}
