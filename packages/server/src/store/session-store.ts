import type {
  HistoryItem,
  OutboxEntry,
  SessionChange,
  SessionRecord,
  ThreadRecord,
  TurnEnding,
  TurnRecord,
} from './session-record.js';

export interface SessionPageQuery {
  readonly limit: number;
  /** The last session of the previous page. */
  readonly afterId?: string | undefined;
}

export interface SessionPage {
  readonly sessions: readonly SessionRecord[];
  readonly hasMore: boolean;
}

export interface NewTurn {
  readonly turn: TurnRecord;
  /** The text of the message in the history. */
  readonly historyText: string;
  /** The turn is refused if more turns than this are open. */
  readonly maxOpenTurns: number;
  /** The error code of the refusal. */
  readonly refusal: 'overloaded' | 'session_busy';
}

/**
 * The durable records of sessions, except events. Acknowledged changes survive a crash.
 *
 * Errors of all methods: `session_not_found`; `storage_full`, `storage_unwritable`, `storage_unreachable`,
 * `storage_damaged`; `channel_closed` after `close()`.
 */
export interface SessionStore {
  /** Errors: `session_exists`. */
  create(session: SessionRecord, primaryThread: ThreadRecord): Promise<void>;
  get(sessionId: string): Promise<SessionRecord>;
  /** Returns the updated session. */
  update(sessionId: string, change: SessionChange): Promise<SessionRecord>;
  /** Removes the session with its turns, history and threads. */
  delete(sessionId: string): Promise<void>;
  list(query: SessionPageQuery): Promise<SessionPage>;
  count(): Promise<number>;

  /**
   * Adds a turn and its history item atomically; returns the existing turn of a repeated client key. Errors:
   * `overloaded` or `session_busy`, with `data.openTurns`.
   */
  addTurn(turn: NewTurn): Promise<TurnRecord>;
  getTurn(turnId: string): Promise<TurnRecord | undefined>;
  findTurn(requestId: string): Promise<TurnRecord | undefined>;
  /** False if the turn is not queued: it was cancelled, or another process runs it. */
  startTurn(turnId: string): Promise<boolean>;
  /**
   * Ends the turn, adds its reply to the history and its last events to the outbox. False, without a change, if the
   * state does not allow it.
   */
  endTurn(turnId: string, ending: TurnEnding): Promise<boolean>;
  /** Call it when the log has the last events of the turn. */
  clearOutbox(turnId: string): Promise<void>;
  /** Oldest first. */
  outbox(): Promise<readonly OutboxEntry[]>;
  /** Queued and running turns, oldest first; of one session or of all. */
  openTurns(sessionId?: string): Promise<readonly TurnRecord[]>;

  /** `total` counts all items, independent of the page. */
  history(
    sessionId: string,
    page: { readonly limit: number; readonly offset: number },
  ): Promise<{ readonly items: readonly HistoryItem[]; readonly total: number }>;

  /** An existing thread stays unchanged. */
  addThread(thread: ThreadRecord): Promise<void>;
  /** Oldest first; the primary thread is the first. */
  threads(sessionId: string): Promise<readonly ThreadRecord[]>;

  /** Idempotent. */
  close(): Promise<void>;
}
