import { toTitle } from '../session/title.js';
import type { MessagePage, MessageQuery } from './read-page.js';
import type { RecordSink } from './read-records.js';
import { type ForkOptions, type NewSession, type OpenedSession, SessionFiles } from './session-files.js';
import { listSessionPage, listSessions, type SessionPage, type SessionQuery } from './session-list.js';
import type { SessionSummary } from './session-summary.js';

export interface FileStoreOptions {
  /** Absolute path of the folder that holds the session files; made with mode 0700 when missing. */
  readonly directory: string;
}

/**
 * Sessions as files, one `<session-id>.jsonl` each. Errors: `usage` for a new id that cannot name a file,
 * `session_not_found`, `message_not_found`, `session_exists`, `session_busy` (data: pid, since),
 * `session_newer_version`, `storage_full`, `storage_unwritable`, `invalid_payload` for what a query says wrongly.
 */
export interface FileStore {
  create(session: NewSession): Promise<OpenedSession>;
  /**
   * Opens a session, whatever folder it began in, and repairs a torn last line. A `sink` takes the records as they are
   * read, so that a long file costs no memory (F95).
   */
  open(sessionId: string, sink?: RecordSink): Promise<OpenedSession>;
  /** Copies the records of a session, busy or not, under a new id. */
  fork(sourceId: string, session: NewSession, options?: ForkOptions): Promise<OpenedSession>;
  /** The id of the session of this workspace that was used last. */
  latest(cwd: string): Promise<string | undefined>;
  /** One page of the sessions, the one used last first; reads both ends of each file that it shows and no more. */
  list(query: SessionQuery): Promise<SessionPage>;
  /** What a list shows of one session. */
  summary(sessionId: string): Promise<SessionSummary>;
  /** One page of a conversation, of a session that may be in use. */
  messages(sessionId: string, query: MessageQuery): Promise<MessagePage>;
  /** Hands over every record of a session that may be in use, in order; a last line that is not whole is left out. */
  read(sessionId: string, sink: RecordSink): Promise<void>;
  /** Gives a session that nobody writes a title: one line, 1 to 200 characters. */
  rename(sessionId: string, title: string): Promise<void>;
  /** Removes a session that nobody writes, for good. */
  delete(sessionId: string): Promise<void>;
}

/** A store over a folder. Touches no file before the first call. */
export function createFileStore({ directory }: FileStoreOptions): FileStore {
  const files = new SessionFiles(directory);
  return {
    create: (session) => files.create(session),
    open: (sessionId, sink) => files.open(sessionId, sink),
    fork: (sourceId, session, options = {}) => files.fork(sourceId, session, options),
    latest: async (cwd) => {
      for await (const { sessionId } of listSessions(directory, { cwd })) return sessionId;
      return undefined;
    },
    list: (query) => listSessionPage(directory, query),
    summary: async (sessionId) => files.summary(sessionId),
    messages: (sessionId, query) => files.readMessages(sessionId, query),
    read: (sessionId, sink) => files.readAll(sessionId, sink),
    rename: async (sessionId, title) => {
      const record = toTitle(title, new Date().toISOString());
      // Nobody needs the records; a sink keeps them from being kept.
      const { log } = await files.open(sessionId, { add: () => undefined });
      try {
        await log.append(record);
      } finally {
        await log.close();
      }
    },
    delete: (sessionId) => files.delete(sessionId),
  };
}
