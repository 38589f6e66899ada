import { AgentError } from '@qwen/protocol';
import { toStorageError } from '../storage-error.js';
import { acquireLock, type SessionLock } from './session-lock.js';

const RETRY_INTERVAL_MS = 20;
const DEFAULT_WAIT_MS = 10_000;

export interface FileLockOptions {
  readonly waitMs?: number;
}

/**
 * Runs `change` under an exclusive lock file, across and within processes; takes over locks of dead owners. The
 * folder must exist; the order of waiters is undefined. Rejects with `storage_unwritable` if the lock stays taken,
 * and as `change` does.
 */
export async function withFileLock<Result>(
  path: string,
  change: () => Promise<Result>,
  { waitMs = DEFAULT_WAIT_MS }: FileLockOptions = {},
): Promise<Result> {
  const lock = await waitForLock(path, waitMs);
  try {
    return await change();
  } finally {
    await lock.release();
  }
}

async function waitForLock(path: string, waitMs: number): Promise<SessionLock> {
  const until = nowMs() + waitMs;
  for (;;) {
    try {
      return await acquireLock(path, new Date().toISOString());
    } catch (thrown) {
      if (!AgentError.is(thrown) || thrown.code !== 'session_busy') throw toStorageError(thrown, path);
      if (nowMs() >= until) throw lockTimeout(path, thrown);
    }
    await new Promise((resolve) => setTimeout(resolve, RETRY_INTERVAL_MS));
  }
}

function lockTimeout(path: string, { data }: AgentError): AgentError {
  const message = `${path} is locked by process ${String(data['pid'])} since ${String(data['since'])}.`;
  return new AgentError('storage_unwritable', message, { data: { path, ...data } });
}

/** Monotonic. The clock of `performance`, which would load more modules. */
export function nowMs(): number {
  return Number(process.hrtime.bigint()) / 1_000_000;
}
