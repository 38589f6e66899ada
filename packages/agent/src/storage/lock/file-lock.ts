import { AgentError } from '@qwen/protocol';
import { settlesWithin } from '../../loop/abortable.js';
import { nowMs } from '../../now-ms.js';
import { toStorageError } from '../storage-error.js';
import { acquireLock, type SessionLock } from './session-lock.js';

const RETRY_INTERVAL_MS = 20;
const DEFAULT_WAIT_MS = 10_000;

/** The last waiter of this process, by lock. If all of them polled, they would starve the owner. */
const lastInLine = new Map<string, Promise<void>>();

export interface FileLockOptions {
  readonly waitMs?: number;
}

/**
 * Runs `change` under an exclusive lock file, across and within processes; takes over locks of dead owners. The
 * folder must exist. Waiters of one process take turns in order; the order of processes is undefined. Rejects with
 * `storage_unwritable` if the lock stays taken, and as `change` does.
 */
export async function withFileLock<Result>(
  path: string,
  change: () => Promise<Result>,
  { waitMs = DEFAULT_WAIT_MS }: FileLockOptions = {},
): Promise<Result> {
  const until = nowMs() + waitMs;
  const before = lastInLine.get(path);
  const own = Promise.withResolvers<void>();
  lastInLine.set(path, own.promise);
  try {
    if (before !== undefined) await settlesWithin(before, waitMs);
    const lock = await waitForLock(path, until);
    try {
      return await change();
    } finally {
      await lock.release();
    }
  } finally {
    own.resolve();
    if (lastInLine.get(path) === own.promise) lastInLine.delete(path);
  }
}

async function waitForLock(path: string, until: number): Promise<SessionLock> {
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
