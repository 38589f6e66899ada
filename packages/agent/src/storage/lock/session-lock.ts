import { linkSync, readFileSync, renameSync, unlinkSync, writeFileSync } from 'node:fs';
import { AgentError, type SessionLockOwner, sessionLockSchema, systemCodeOf } from '@qwen/protocol';
import { parseObject } from '../recover-objects.js';
import { isRunning, ownIdentity } from './process-identity.js';

/** The owner releases it. */
export interface SessionLock {
  release(): Promise<void>;
}

const NO_LINKS: ReadonlySet<string | undefined> = new Set(['EPERM', 'ENOTSUP', 'EOPNOTSUPP', 'ENOSYS', 'EMLINK']);

/**
 * Takes the lock file at `path`, or takes it over from a dead owner. Throws `session_busy` (data: pid, since) and
 * system errors.
 *
 * The file appears with its content by a hard link. A second lock, named after the dead owner's, ensures that only
 * one process replaces it. Synchronous, because `node:fs/promises` would slow down short runs.
 */
export function acquireLock(path: string, since: string): Promise<SessionLock> {
  return acquire(path, since, path);
}

async function acquire(path: string, since: string, base: string): Promise<SessionLock> {
  const { pid, startTime } = ownIdentity();
  const owner: SessionLockOwner = { pid, start_time: startTime, since, nonce: crypto.randomUUID() };
  const text = JSON.stringify(owner);
  const prepared = `${base}.${owner.nonce}.new`;
  writeFileSync(prepared, text, { flag: 'wx', mode: 0o600 });
  try {
    while (!placeNew(prepared, path)) {
      const found = readIfPresent(path);
      if (found !== undefined && (await takeOver(found, { path, prepared, base, since }))) break;
    }
  } finally {
    removeIfPresent(prepared);
  }
  return {
    release: async () => {
      if (readIfPresent(path) === text) removeIfPresent(path);
    },
  };
}

function placeNew(prepared: string, path: string): boolean {
  try {
    linkSync(prepared, path);
    return true;
  } catch (thrown) {
    if (systemCodeOf(thrown) === 'EEXIST') return false;
    if (!NO_LINKS.has(systemCodeOf(thrown))) throw thrown;
  }
  try {
    writeFileSync(path, readFileSync(prepared), { flag: 'wx', mode: 0o600 });
    return true;
  } catch (thrown) {
    if (systemCodeOf(thrown) === 'EEXIST') return false;
    throw thrown;
  }
}

interface TakeOver {
  readonly base: string;
  readonly since: string;
  readonly path: string;
  readonly prepared: string;
}

async function takeOver(found: string, { path, prepared, base, since }: TakeOver): Promise<boolean> {
  const owner = parseOwner(found);
  if (owner !== undefined && isRunning({ pid: owner.pid, startTime: owner.start_time })) throw busy(owner);
  const guard = await acquire(owner === undefined ? `${path}.damaged` : `${base}.${owner.nonce}`, since, base);
  try {
    if (readIfPresent(path) !== found) return false;
    renameSync(prepared, path);
    return true;
  } finally {
    await guard.release();
  }
}

function busy({ pid, since }: SessionLockOwner): AgentError {
  const message = `The session is in use by process ${pid} since ${since}.`;
  return new AgentError('session_busy', message, { data: { pid, since } });
}

/** A damaged lock, for example after a power cut, has no living owner. */
function parseOwner(text: string): SessionLockOwner | undefined {
  const owner = sessionLockSchema.safeParse(parseObject(text));
  return owner.success ? owner.data : undefined;
}

function readIfPresent(path: string): string | undefined {
  try {
    return readFileSync(path, 'utf8');
  } catch (thrown) {
    if (systemCodeOf(thrown) === 'ENOENT') return undefined;
    throw thrown;
  }
}

function removeIfPresent(path: string): void {
  try {
    unlinkSync(path);
  } catch (thrown) {
    if (systemCodeOf(thrown) !== 'ENOENT') throw thrown;
  }
}
