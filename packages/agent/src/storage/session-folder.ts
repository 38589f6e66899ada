import { chmodSync, lstatSync, mkdirSync, statSync } from 'node:fs';
import { AgentError } from '@qwen/protocol';
import { toStorageError } from './storage-error.js';

/**
 * Makes the folder that holds session files, for our eyes only. Throws `storage_unwritable` when that cannot be done
 * (F86), and when it, or a link in its place, belongs to somebody else.
 */
export function ensureSessionFolder(directory: string): void {
  try {
    mkdirSync(directory, { recursive: true, mode: 0o700 });
    const [entry, folder] = [lstatSync(directory), statSync(directory)];
    if (process.platform === 'win32' || process.geteuid === undefined) return;
    const user = process.geteuid();
    if (entry.uid !== user || folder.uid !== user) {
      throw new AgentError('storage_unwritable', `${directory} belongs to another user.`, {
        data: { path: directory },
      });
    }
    if ((folder.mode & 0o077) !== 0) chmodSync(directory, 0o700);
  } catch (thrown) {
    throw toStorageError(thrown, directory);
  }
}
