import { chmodSync, lstatSync, mkdirSync, statSync } from 'node:fs';
import { type FileHandle, readdir, rm, writeFile } from 'node:fs/promises';
import { basename, join } from 'node:path';
import { AgentError, SESSION_FILE_VERSION, type SessionRecord, systemCodeOf } from '@qwen/protocol';
import type { SessionLog } from '../ports.js';
import type { SessionNotice } from '../session/options.js';
import type { TitleRecord } from '../session/title.js';
import { copiedRecords, upToMessage, withoutHeader } from './copy-records.js';
import { FileLog } from './file-log.js';
import { copyHistory, deleteHistory, historyFolder } from './history-files.js';
import { acquireLock, type SessionLock } from './lock/session-lock.js';
import { createSessionFile, type OpenFile, openSessionFile, toLogFile } from './log-file.js';
import { type MessagePage, type MessageQuery, readMessagePage } from './read-page.js';
import { type RecordSink, readRecords, type SessionFileContent } from './read-records.js';
import { readEntry, readSummary, SESSION_SUFFIX, type SessionSummary } from './session-summary.js';
import { toStorageError } from './storage-error.js';

const SESSION_ID = /^(?!(?:con|prn|aux|nul|com\d|lpt\d)$)[\da-z][\da-z_-]{0,127}$/i;

/** Whether it is a file name on every system. */
export function isSessionId(text: string): boolean {
  return SESSION_ID.test(text);
}

export interface NewSession {
  readonly sessionId: string;
  readonly cwd: string;
  readonly createdAt: string;
}

/** Open for writing by this process only. The caller closes `log`. */
export interface OpenedSession {
  readonly sessionId: string;
  readonly log: SessionLog;
  /** In order with the header; empty with a sink. */
  readonly records: readonly SessionRecord[];
  readonly notices: readonly SessionNotice[];
}

interface Beginning {
  readonly forkedFrom?: string | undefined;
  readonly records: AsyncIterable<SessionRecord>;
}

/** Without a header. */
export interface ImportedSession extends ForkOptions {
  readonly records: AsyncIterable<SessionRecord>;
  readonly forkedFrom?: string;
}

export interface ForkOptions {
  readonly upToMessageId?: string;
  readonly sink?: RecordSink;
}

/** Writes each file under its lock. */
export class SessionFiles {
  readonly #directory: string;

  constructor(directory: string) {
    this.#directory = directory;
  }

  create(session: NewSession): Promise<OpenedSession> {
    return this.#create(session);
  }

  async fork(sourceId: string, session: NewSession, { upToMessageId, sink }: ForkOptions): Promise<OpenedSession> {
    await using handle = await this.#openFile(sourceId, 'read');
    const copied = copiedRecords(handle);
    const first = await copied.next();
    if (first.done === true) throw notFound(sourceId);
    const all = withoutHeader(first.value, copied);
    const records = upToMessageId === undefined ? all : upToMessage(all, upToMessageId);
    const forked = await this.#create(session, { beginning: { forkedFrom: sourceId, records }, ...(sink && { sink }) });
    const [from, to] = [sourceId, session.sessionId].map((id) => historyFolder(this.#directory, id));
    // Without it, only files cannot be rewound.
    if (from !== undefined && to !== undefined) await copyHistory(from, to).catch(() => deleteHistory(to));
    return forked;
  }

  import(session: NewSession, { records, forkedFrom, upToMessageId, sink }: ImportedSession): Promise<OpenedSession> {
    const wanted = upToMessageId === undefined ? records : upToMessage(records, upToMessageId);
    return this.#create(session, { beginning: { forkedFrom, records: wanted }, ...(sink && { sink }) });
  }

  async #create(
    { sessionId, cwd, createdAt }: NewSession,
    { beginning, sink }: { readonly beginning?: Beginning; readonly sink?: RecordSink } = {},
  ): Promise<OpenedSession> {
    if (!isSessionId(sessionId)) throw unusable(sessionId);
    ensureSessionFolder(this.#directory);
    const path = this.#pathOf(sessionId);
    return this.#locked(sessionId, async (lock) => {
      const file = openNew(path, sessionId);
      const log = createLog(path, file, { lock, length: 0, lacksLineFeed: false, title: undefined });
      const header: SessionRecord = {
        type: 'session',
        version: SESSION_FILE_VERSION,
        session_id: sessionId,
        cwd,
        created_at: createdAt,
        ...(beginning?.forkedFrom !== undefined && { forked_from: beginning.forkedFrom }),
      };
      const records: SessionRecord[] = [];
      const add = async (record: SessionRecord) => {
        await log.append(record);
        if (sink === undefined) records.push(record);
        else sink.add(record);
      };
      try {
        await add(header);
        for await (const record of beginning?.records ?? []) await add(record);
      } catch (thrown) {
        await rm(path, { force: true });
        await file.close();
        throw thrown;
      }
      return { sessionId, log, records, notices: [] };
    });
  }

  async open(sessionId: string, sink?: RecordSink): Promise<OpenedSession> {
    // A wrong id must not create a lock.
    const found = await this.#openFile(sessionId, 'read');
    await found.close();
    const path = this.#pathOf(sessionId);
    return this.#locked(sessionId, async (lock) => {
      const handle = await this.#openFile(sessionId, 'append');
      try {
        const content = await readRecords(handle, sink);
        if (content.isEmpty) throw notFound(sessionId);
        const notices = [...(await repairTail(path, handle, content)), ...damageNotices(path, content)];
        const log = createLog(path, handle, { lock, ...content });
        return { sessionId, log, records: content.records, notices };
      } catch (thrown) {
        await handle.close();
        throw thrown;
      }
    });
  }

  async readMessages(sessionId: string, query: MessageQuery): Promise<MessagePage> {
    await using handle = await this.#openFile(sessionId, 'read');
    return await readMessagePage(handle, query);
  }

  async readAll(sessionId: string, sink: RecordSink): Promise<void> {
    await using handle = await this.#openFile(sessionId, 'read');
    await readRecords(handle, sink);
  }

  summary(sessionId: string): SessionSummary {
    const entry = isSessionId(sessionId) ? readEntry(this.#pathOf(sessionId)) : undefined;
    const summary = entry && readSummary(entry);
    if (summary === undefined) throw notFound(sessionId);
    return summary;
  }

  async delete(sessionId: string): Promise<void> {
    const found = await this.#openFile(sessionId, 'read');
    await found.close();
    const lock = await this.#locked(sessionId, (mine) => Promise.resolve(mine));
    const path = this.#pathOf(sessionId);
    try {
      const torn = (await readdir(this.#directory)).filter((name) => name.startsWith(`${basename(path)}.torn-`));
      for (const name of torn) await rm(join(this.#directory, name), { force: true });
      await deleteHistory(historyFolder(this.#directory, sessionId));
      await rm(path, { force: true });
    } catch (thrown) {
      throw toStorageError(thrown, path);
    } finally {
      await lock.release();
    }
  }

  async #locked<T>(sessionId: string, work: (lock: SessionLock) => Promise<T>): Promise<T> {
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
    if (!isSessionId(sessionId)) throw notFound(sessionId);
    const path = this.#pathOf(sessionId);
    try {
      return await openSessionFile(path, mode);
    } catch (thrown) {
      throw systemCodeOf(thrown) === 'ENOENT' ? notFound(sessionId) : toStorageError(thrown, path);
    }
  }

  #pathOf(sessionId: string): string {
    return join(this.#directory, `${sessionId}${SESSION_SUFFIX}`);
  }
}

function openNew(path: string, sessionId: string): OpenFile {
  try {
    return createSessionFile(path);
  } catch (thrown) {
    if (systemCodeOf(thrown) !== 'EEXIST') throw thrown;
    throw new AgentError('session_exists', `The session ${sessionId} already exists.`, { data: { sessionId } });
  }
}

interface LogStart {
  readonly lock: SessionLock;
  readonly length: number;
  readonly lacksLineFeed: boolean;
  readonly title: TitleRecord | undefined;
}

function createLog(path: string, file: OpenFile, { lock, length, lacksLineFeed, title }: LogStart): FileLog {
  return new FileLog({
    file: toLogFile(path, file),
    length,
    lacksLineFeed,
    ...(title !== undefined && { title }),
    onClose: () => lock.release(),
  });
}

/** Keeps the cut bytes in a file next to it. */
async function repairTail(
  path: string,
  handle: FileHandle,
  { tornTail, length }: SessionFileContent,
): Promise<SessionNotice[]> {
  if (tornTail === undefined) return [];
  const backup = `${path}.torn-${crypto.randomUUID()}`;
  await writeFile(backup, tornTail, { flag: 'wx', mode: 0o600 });
  await handle.truncate(length);
  const message = `The last line of ${path} was incomplete; its ${tornTail.length} bytes are now in ${backup}.`;
  return [{ code: 'tail_repaired', message }];
}

function damageNotices(path: string, { damagedLines }: SessionFileContent): SessionNotice[] {
  if (damagedLines.length === 0) return [];
  const lines = damagedLines.join(', ');
  return [{ code: 'records_damaged', message: `Damaged lines of ${path} were skipped or read in part: ${lines}.` }];
}

function unusable(sessionId: string): AgentError {
  const expected = 'letters, digits, - and _, at most 128, starting with a letter or digit';
  return new AgentError('usage', `Invalid session ID ${JSON.stringify(sessionId)}: expected ${expected}.`);
}

function notFound(sessionId: string): AgentError {
  return new AgentError('session_not_found', `There is no session ${sessionId}.`, { data: { sessionId } });
}

/** Mode 0700. Throws `storage_unwritable`, also if it belongs to another user. */
function ensureSessionFolder(directory: string): void {
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
