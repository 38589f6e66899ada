import { link, readFile, rename, unlink, writeFile } from 'node:fs/promises';
import { AgentError, type SessionLockOwner, sessionLockSchema } from '@qwen/protocol';
import { isRunning, ownIdentity } from './process-identity.js';
import { parseObject } from './recover-objects.js';
import { systemCode } from './storage-error.js';

/** The right to write a session. Whoever took it releases it. */
export interface SessionLock {
  release(): Promise<void>;
}

/** Errors of file systems that have no hard links. */
const NO_LINKS: ReadonlySet<string | undefined> = new Set(['EPERM', 'ENOTSUP', 'EOPNOTSUPP', 'ENOSYS', 'EMLINK']);

/**
 * Takes the lock file at `path`, which tells its owner. A lock whose owner is dead is taken over. Throws
 * `session_busy` with the owner's pid and since when it holds the lock (F90, F91); system errors as they come.
 *
 * The file appears with its content in one step (a link to a finished file). Taking over is guarded by a second lock,
 * named after the dead owner's lock: of all that saw the same dead lock, one replaces it, and only while it is
 * still that one.
 */
export async function acquireLock(path: string, since: string): Promise<SessionLock> {
  const { pid, startTime } = await ownIdentity();
  const owner: SessionLockOwner = { pid, start_time: startTime, since, nonce: crypto.randomUUID() };
  const text = JSON.stringify(owner);
  const prepared = `${path}.${owner.nonce}.new`;
  await writeFile(prepared, text, { flag: 'wx', mode: 0o600 });
  try {
    while (!(await placeNew(prepared, path))) {
      const found = await readIfPresent(path);
      if (found !== undefined && (await takeOver(found, { path, prepared, since }))) break;
    }
  } finally {
    await removeIfPresent(prepared);
  }
  return {
    release: async () => {
      if ((await readIfPresent(path)) === text) await removeIfPresent(path);
    },
  };
}

/** False when a lock stands there already. */
async function placeNew(prepared: string, path: string): Promise<boolean> {
  try {
    await link(prepared, path);
    return true;
  } catch (thrown) {
    if (systemCode(thrown) === 'EEXIST') return false;
    if (!NO_LINKS.has(systemCode(thrown))) throw thrown;
  }
  try {
    await writeFile(path, await readFile(prepared), { flag: 'wx', mode: 0o600 });
    return true;
  } catch (thrown) {
    if (systemCode(thrown) === 'EEXIST') return false;
    throw thrown;
  }
}

interface TakeOver {
  readonly path: string;
  readonly prepared: string;
  readonly since: string;
}

/** Replaces the lock of a dead owner. False when somebody else was faster; throws `session_busy` when it is alive. */
async function takeOver(found: string, { path, prepared, since }: TakeOver): Promise<boolean> {
  const owner = parseOwner(found);
  if (owner !== undefined && (await isRunning({ pid: owner.pid, startTime: owner.start_time }))) throw busy(owner);
  const guard = await acquireLock(`${path}.${owner?.nonce ?? 'damaged'}`, since);
  try {
    if ((await readIfPresent(path)) !== found) return false;
    await rename(prepared, path);
    return true;
  } finally {
    await guard.release();
  }
}

function busy({ pid, since }: SessionLockOwner): AgentError {
  const message = `The session is in use by process ${pid} since ${since}.`;
  return new AgentError('session_busy', message, { data: { pid, since } });
}

/** Undefined for a lock that was damaged, as after a power cut; nobody alive holds such a lock. */
function parseOwner(text: string): SessionLockOwner | undefined {
  const owner = sessionLockSchema.safeParse(parseObject(text));
  return owner.success ? owner.data : undefined;
}

async function readIfPresent(path: string): Promise<string | undefined> {
  try {
    return await readFile(path, 'utf8');
  } catch (thrown) {
    if (systemCode(thrown) === 'ENOENT') return undefined;
    throw thrown;
  }
}

/** Not `rm`, which loads what it takes to remove whole folders; each session comes by here twice. */
async function removeIfPresent(path: string): Promise<void> {
  try {
    await unlink(path);
  } catch (thrown) {
    if (systemCode(thrown) !== 'ENOENT') throw thrown;
  }
}
