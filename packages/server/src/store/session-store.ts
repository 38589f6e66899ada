import type {
  HistoryItem,
  OutboxEntry,
  SessionChange,
  SessionRecord,
  ThreadRecord,
  TurnEnding,
  TurnRecord,
  UsageRecord,
} from './session-record.js';

export interface SessionPageQuery {
  readonly limit: number;
  readonly afterId?: string | undefined;
}

export interface SessionPage {
  readonly sessions: readonly SessionRecord[];
  readonly hasMore: boolean;
}

export interface NewTurn {
  readonly turn: TurnRecord;
  readonly historyText: string;
  /** More open turns refuse the new one. */
  readonly maxOpenTurns: number;
  readonly refusal: 'overloaded' | 'session_busy';
}

/**
 * The durable records of sessions. Errors of all methods: `session_not_found`; `storage_full`, `storage_unwritable`,
 * `storage_unreachable`, `storage_damaged`; `channel_closed` after `close()`.
 */
export interface SessionStore {
  /** Errors: `session_exists`. */
  create(session: SessionRecord, primaryThread: ThreadRecord): Promise<void>;
  get(sessionId: string): Promise<SessionRecord>;
  update(sessionId: string, change: SessionChange): Promise<SessionRecord>;
  delete(sessionId: string): Promise<void>;
  list(query: SessionPageQuery): Promise<SessionPage>;
  count(): Promise<number>;
  /** Writes something and removes it again. */
  probe(): Promise<void>;

  /**
   * Returns the existing turn of a repeated client key. Errors: `overloaded` or `session_busy`, with
   * `data.openTurns`.
   */
  addTurn(turn: NewTurn): Promise<TurnRecord>;
  getTurn(turnId: string): Promise<TurnRecord | undefined>;
  findTurn(requestId: string): Promise<TurnRecord | undefined>;
  /** False if the turn is not queued any more. */
  startTurn(turnId: string): Promise<boolean>;
  /** Also fills the outbox. False, without a change, if the state does not allow it. */
  endTurn(turnId: string, ending: TurnEnding): Promise<boolean>;
  /** The log has the last events of the turn. */
  clearOutbox(turnId: string): Promise<void>;
  /** Oldest first. */
  outbox(): Promise<readonly OutboxEntry[]>;
  /** Oldest first; of one session or of all. */
  openTurns(sessionId?: string): Promise<readonly TurnRecord[]>;

  /** `total` counts all items. */
  history(
    sessionId: string,
    page: { readonly limit: number; readonly offset: number },
  ): Promise<{ readonly items: readonly HistoryItem[]; readonly total: number }>;

  /** An existing thread stays unchanged. */
  addThread(thread: ThreadRecord): Promise<void>;
  /** Oldest first; the primary thread is the first. */
  threads(sessionId: string): Promise<readonly ThreadRecord[]>;

  /** `day` is a date, such as `2026-11-28`. */
  addUsage(name: string, day: string, usage: UsageRecord): Promise<void>;
  usageOf(name: string, day: string): Promise<UsageRecord>;

  /** Writes a consistent copy to a new file. Undefined for stores that are not files. */
  backup?: (path: string) => Promise<void>;
  /** Idempotent. */
  close(): Promise<void>;
}
