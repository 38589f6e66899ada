import { AgentError } from '@qwen/protocol';
import { toStorageError } from '../storage-error.js';
import { acquireLock, type SessionLock } from './session-lock.js';

/** Between two looks at a lock that somebody holds; nobody tells when it is released. */
const RETRY_INTERVAL_MS = 20;
const DEFAULT_WAIT_MS = 10_000;

export interface FileLockOptions {
  /** How long to wait for others, as the monotonic clock counts. Default ten seconds. */
  readonly waitMs?: number;
}

/**
 * Runs `change` while no other process, and nobody else in this one, runs anything under the lock file at `path`: for
 * short changes of a file that several may change at the same moment. Its folder must be there. A lock whose owner died
 * is taken over. Whoever waits comes next in no certain order. Rejects with `storage_unwritable` when the lock stayed
 * taken or cannot be made, and as `change` does.
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
  const message = `${path} is held by process ${String(data['pid'])} since ${String(data['since'])}.`;
  return new AgentError('storage_unwritable', message, { data: { path, ...data } });
}

function nowMs(): number {
  return Number(process.hrtime.bigint()) / 1_000_000;
}
