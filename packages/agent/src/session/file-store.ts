import { type FileHandle, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { AgentError, SESSION_FILE_VERSION, type SessionRecord } from '@qwen/protocol';
import type { SessionLog } from '../ports.js';
import { FileLog } from './file-log.js';
import { openSessionFile, toLogFile } from './log-file.js';
import type { SessionNotice } from './options.js';
import { readRecords, type SessionFileContent } from './read-records.js';
import { ensureSessionFolder } from './session-folder.js';
import { listSessions, type SessionSummary } from './session-list.js';
import { acquireLock, type SessionLock } from './session-lock.js';
import { systemCode, toStorageError } from './storage-error.js';

export interface FileStoreOptions {
  /** Absolute path of the folder that holds the session files; made with mode 0700 when missing. */
  readonly directory: string;
}

/** How a session begins. */
export interface NewSession {
  /** A UUID. */
  readonly sessionId: string;
  /** Absolute path of the workspace. */
  readonly cwd: string;
  /** ISO time. */
  readonly createdAt: string;
}

/** A session file that is open for writing by this process alone. Whoever opened it closes `log`. */
export interface OpenedSession {
  readonly sessionId: string;
  readonly log: SessionLog;
  /** Every record that could be read, the `session` header included, in order. */
  readonly records: readonly SessionRecord[];
  /** What had to be repaired or left out. */
  readonly notices: readonly SessionNotice[];
}

/**
 * Sessions as files, one `<session-id>.jsonl` each. Errors: `usage` for a new id that is not a UUID,
 * `session_not_found`, `session_exists`, `session_busy` (data: pid, since), `session_newer_version`, `storage_full`,
 * `storage_unwritable`.
 */
export interface FileStore {
  create(session: NewSession): Promise<OpenedSession>;
  /** Opens a session, whatever folder it began in, and repairs a torn last line. */
  open(sessionId: string): Promise<OpenedSession>;
  /** Copies the records of a session, busy or not, under a new id. */
  fork(sourceId: string, session: NewSession): Promise<OpenedSession>;
  /** The id of the session of this workspace that was used last. */
  latest(cwd: string): Promise<string | undefined>;
  /** The sessions, the one used last first; reads each header only when asked for it. */
  list(): AsyncIterable<SessionSummary>;
}

const SESSION_ID = /^[\da-f]{8}(?:-[\da-f]{4}){3}-[\da-f]{12}$/i;

/** A store over a folder. Touches no file before the first call. */
export function createFileStore({ directory }: FileStoreOptions): FileStore {
  const folder = new SessionFiles(directory);
  return {
    create: (session) => folder.create(session, { records: [] }),
    open: (sessionId) => folder.open(sessionId),
    fork: async (sourceId, session) => {
      const { records } = await folder.read(sourceId);
      return folder.create(session, {
        records: records.filter(({ type }) => type !== 'session'),
        forkedFrom: sourceId,
      });
    },
    latest: async (cwd) => {
      for await (const session of listSessions(directory)) {
        if (session.cwd === cwd) return session.sessionId;
      }
      return undefined;
    },
    list: () => listSessions(directory),
  };
}

interface Beginning {
  readonly records: readonly SessionRecord[];
  readonly forkedFrom?: string;
}

class SessionFiles {
  readonly #directory: string;

  constructor(directory: string) {
    this.#directory = directory;
  }

  async create({ sessionId, cwd, createdAt }: NewSession, beginning: Beginning): Promise<OpenedSession> {
    if (!SESSION_ID.test(sessionId)) throw new AgentError('usage', `A session id must be a UUID, not ${sessionId}`);
    await ensureSessionFolder(this.#directory);
    const path = this.#pathOf(sessionId);
    return this.#locked(sessionId, async (lock) => {
      const handle = await openNew(path, sessionId);
      const log = createLog(path, handle, { lock, length: 0, lacksLineFeed: false });
      const { forkedFrom } = beginning;
      const header: SessionRecord = {
        type: 'session',
        version: SESSION_FILE_VERSION,
        session_id: sessionId,
        cwd,
        created_at: createdAt,
        ...(forkedFrom !== undefined && { forked_from: forkedFrom }),
      };
      const records = [header, ...beginning.records];
      try {
        for (const record of records) await log.append(record);
      } catch (thrown) {
        await rm(path, { force: true });
        await handle.close();
        throw thrown;
      }
      return { sessionId, log, records, notices: [] };
    });
  }

  async open(sessionId: string): Promise<OpenedSession> {
    // Looking first keeps a wrong id from leaving a folder or a lock behind.
    const found = await this.#openFile(sessionId, 'read');
    await found.close();
    const path = this.#pathOf(sessionId);
    return this.#locked(sessionId, async (lock) => {
      const handle = await this.#openFile(sessionId, 'append');
      try {
        const content = await readRecords(handle);
        if (content.records.length === 0) throw notFound(sessionId);
        const notices = [...(await repairTail(path, handle, content)), ...damageNotices(path, content)];
        const log = createLog(path, handle, { lock, ...content });
        return { sessionId, log, records: content.records, notices };
      } catch (thrown) {
        await handle.close();
        throw thrown;
      }
    });
  }

  async read(sessionId: string): Promise<SessionFileContent> {
    const handle = await this.#openFile(sessionId, 'read');
    try {
      const content = await readRecords(handle);
      if (content.records.length === 0) throw notFound(sessionId);
      return content;
    } finally {
      await handle.close();
    }
  }

  /** Runs `work` under the lock of the session; it is released when the work fails. */
  async #locked(sessionId: string, work: (lock: SessionLock) => Promise<OpenedSession>): Promise<OpenedSession> {
    const path = this.#pathOf(sessionId);
    let lock: SessionLock | undefined;
    try {
      lock = await acquireLock(join(this.#directory, `${sessionId}.lock`), new Date().toISOString());
      return await work(lock);
    } catch (thrown) {
      await lock?.release();
      throw toStorageError(thrown, path);
    }
  }

  async #openFile(sessionId: string, mode: 'read' | 'append'): Promise<FileHandle> {
    if (!SESSION_ID.test(sessionId)) throw notFound(sessionId);
    const path = this.#pathOf(sessionId);
    try {
      return await openSessionFile(path, mode);
    } catch (thrown) {
      throw systemCode(thrown) === 'ENOENT' ? notFound(sessionId) : toStorageError(thrown, path);
    }
  }

  #pathOf(sessionId: string): string {
    return join(this.#directory, `${sessionId}.jsonl`);
  }
}

async function openNew(path: string, sessionId: string): Promise<FileHandle> {
  try {
    return await openSessionFile(path, 'create');
  } catch (thrown) {
    if (systemCode(thrown) !== 'EEXIST') throw thrown;
    throw new AgentError('session_exists', `The session ${sessionId} exists already.`, { data: { sessionId } });
  }
}

interface LogStart {
  readonly lock: SessionLock;
  readonly length: number;
  readonly lacksLineFeed: boolean;
}

function createLog(path: string, handle: FileHandle, { lock, length, lacksLineFeed }: LogStart): FileLog {
  return new FileLog({ file: toLogFile(path, handle), length, lacksLineFeed, onClose: () => lock.release() });
}

/** Cuts off half a last line and keeps its bytes beside the file (F87). */
async function repairTail(
  path: string,
  handle: FileHandle,
  { tornTail, length }: SessionFileContent,
): Promise<SessionNotice[]> {
  if (tornTail === undefined) return [];
  const backup = `${path}.torn-${crypto.randomUUID()}`;
  await writeFile(backup, tornTail, { flag: 'wx', mode: 0o600 });
  await handle.truncate(length);
  const message = `The last line of ${path} was written only in part; its ${tornTail.length} bytes are now in ${backup}.`;
  return [{ code: 'tail_repaired', message }];
}

/** Damage in the middle is told and left as it is: the file is never rewritten (F88). */
function damageNotices(path: string, { damagedLines }: SessionFileContent): SessionNotice[] {
  if (damagedLines.length === 0) return [];
  const lines = damagedLines.join(', ');
  return [{ code: 'records_damaged', message: `Damaged lines of ${path} were left out or read in part: ${lines}.` }];
}

function notFound(sessionId: string): AgentError {
  return new AgentError('session_not_found', `There is no session ${sessionId}.`, { data: { sessionId } });
}
