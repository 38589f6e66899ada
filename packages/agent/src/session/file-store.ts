import { AgentError, type SessionRecord } from '@qwen/protocol';
import type { SessionLog } from '../ports.js';
import type { SessionNotice } from './options.js';

export interface FileStoreOptions {
  /** Absolute path of the folder that holds the session files; made with mode 0700 when missing. */
  readonly directory: string;
}

/** What `--continue` and lists show of a session, without reading all of it. */
export interface SessionSummary {
  readonly sessionId: string;
  /** The workspace in which it began. */
  readonly cwd: string;
  /** ISO time. */
  readonly createdAt: string;
  /** Epoch milliseconds of the last record. */
  readonly modifiedAtMs: number;
  readonly forkedFrom?: string;
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
 * Sessions as files, one `<session-id>.jsonl` each. Errors: `session_not_found`, `session_exists`, `session_busy`
 * (data: pid, since), `session_newer_version`, `storage_full`, `storage_unwritable`.
 */
export interface FileStore {
  create(session: {
    readonly sessionId: string;
    readonly cwd: string;
    readonly createdAt: string;
  }): Promise<OpenedSession>;
  /** Opens a session from whatever folder, and repairs a torn last line. */
  open(sessionId: string): Promise<OpenedSession>;
  /** Copies the records of a session, busy or not, under a new id. */
  fork(
    source: string,
    session: { readonly sessionId: string; readonly cwd: string; readonly createdAt: string },
  ): Promise<OpenedSession>;
  /** The id of the session of this workspace that was used last. */
  latest(cwd: string): Promise<string | undefined>;
  /** The sessions, the one used last first; reads each header only when asked for it. */
  list(): AsyncIterable<SessionSummary>;
}

/** A store over a folder. Touches no file before the first call. */
export function createFileStore(options: FileStoreOptions): FileStore {
  throw new AgentError('internal', options.directory);
}
