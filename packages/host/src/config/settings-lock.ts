import { mkdir } from 'node:fs/promises';
import { join } from 'node:path';
import { withFileLock } from '@qwen/agent/node';

/**
 * Runs a read-decide-write step under a lock across processes. Must not be nested. Rejects with `storage_unwritable`.
 */
export async function withSettingsLock<Result>(configDir: string, change: () => Promise<Result>): Promise<Result> {
  // The lock reports a folder that cannot be created.
  await mkdir(configDir, { recursive: true, mode: 0o700 }).catch(() => undefined);
  return withFileLock(join(configDir, 'settings.lock'), change);
}
