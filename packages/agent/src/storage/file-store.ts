import { toTitle } from '../session/title.js';
import type { MessagePage, MessageQuery } from './read-page.js';
import type { RecordSink } from './read-records.js';
import {
  type ForkOptions,
  type ImportedSession,
  type NewSession,
  type OpenedSession,
  SessionFiles,
} from './session-files.js';
import { listSessionPage, listSessions, type SessionPage, type SessionQuery } from './session-list.js';
import type { SessionSummary } from './session-summary.js';

export interface FileStoreOptions {
  /** Absolute; created with mode 0700. */
  readonly directory: string;
}

/**
 * Sessions as `<session-id>.jsonl` files. Errors: `usage` for an invalid new id, `session_not_found`,
 * `message_not_found`, `session_exists`, `session_busy` (data: pid, since), `session_newer_version`, `storage_full`,
 * `storage_unwritable`, `invalid_payload` for an invalid query.
 */
export interface FileStore {
  create(session: NewSession): Promise<OpenedSession>;
  open(sessionId: string, sink?: RecordSink): Promise<OpenedSession>;
  fork(sourceId: string, session: NewSession, options?: ForkOptions): Promise<OpenedSession>;
  /** Creates a session with the records of another program; on failure, none remains. */
  import(session: NewSession, source: ImportedSession): Promise<OpenedSession>;
  latest(cwd: string): Promise<string | undefined>;
  /** Last used first; reads only both ends of each file. */
  list(query: SessionQuery): Promise<SessionPage>;
  summary(sessionId: string): Promise<SessionSummary>;
  messages(sessionId: string, query: MessageQuery): Promise<MessagePage>;
  /** Works on a session in use; skips a partial last line. */
  read(sessionId: string, sink: RecordSink): Promise<void>;
  /** One line of 1 to 200 characters. The session must not be in use. */
  rename(sessionId: string, title: string): Promise<void>;
  /** The session must not be in use. */
  delete(sessionId: string): Promise<void>;
}

export function createFileStore({ directory }: FileStoreOptions): FileStore {
  const files = new SessionFiles(directory);
  return {
    create: (session) => files.create(session),
    open: (sessionId, sink) => files.open(sessionId, sink),
    fork: (sourceId, session, options = {}) => files.fork(sourceId, session, options),
    import: (session, source) => files.import(session, source),
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
