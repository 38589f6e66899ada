import { mkdir } from 'node:fs/promises';
import { join } from 'node:path';
import { withFileLock } from '@qwen/agent/node';

/**
 * Changes settings or the list of trusted folders: what `change` reads, decides and writes is one step among all
 * processes of this user, so that no change is lost. Must not be nested. Rejects with `storage_unwritable`.
 */
export async function changeSettings<Result>(qwenHome: string, change: () => Promise<Result>): Promise<Result> {
  await mkdir(qwenHome, { recursive: true, mode: 0o700 });
  return withFileLock(join(qwenHome, 'settings.lock'), change);
}
