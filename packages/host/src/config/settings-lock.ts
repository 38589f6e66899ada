import { mkdir } from 'node:fs/promises';
import { join } from 'node:path';
import { withFileLock } from '@qwen/agent/node';

/**
 * Runs a read-decide-write step on the settings or the trusted folders under a lock across processes. Must not be
 * nested. Rejects with `storage_unwritable`.
 */
export async function changeSettings<Result>(qwenHome: string, change: () => Promise<Result>): Promise<Result> {
  await mkdir(qwenHome, { recursive: true, mode: 0o700 });
  return withFileLock(join(qwenHome, 'settings.lock'), change);
}
