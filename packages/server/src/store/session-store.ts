import type {
  HistoryItem,
  SessionChange,
  SessionRecord,
  ThreadRecord,
  TurnEnding,
  TurnRecord,
  UntoldEnd,
} from './session-record.js';

/** Part of a long list, newest sessions first. */
export interface SessionPageQuery {
  readonly limit: number;
  /** The last session of the page before. */
  readonly afterId?: string | undefined;
}

export interface SessionPage {
  readonly sessions: readonly SessionRecord[];
  readonly hasMore: boolean;
}

/** A turn to be added. */
export interface NewTurn {
  readonly turn: TurnRecord;
  /** What the history says; the turn itself may say more. */
  readonly historyText: string;
  /** With more turns than this waiting or running already it is refused. */
  readonly maxOpenTurns: number;
  /** Which error that refusal is: `session_busy` for callers that do not queue. */
  readonly refusal: 'overloaded' | 'session_busy';
}

/**
 * The durable facts of sessions: what is not an event. What was acknowledged is there after the process was killed.
 * Several processes may use one store where it says so.
 *
 * Errors of all verbs: `session_not_found` where a session is named that is not there; `storage_full`,
 * `storage_unwritable`, `storage_unreachable`, `storage_damaged`; `channel_closed` after `close()`.
 */
export interface SessionStore {
  /** Errors: `session_exists`. */
  create(session: SessionRecord, primaryThread: ThreadRecord): Promise<void>;
  get(sessionId: string): Promise<SessionRecord>;
  /** Gives the session as it is then. */
  update(sessionId: string, change: SessionChange): Promise<SessionRecord>;
  /** Removes it with everything that belongs to it. */
  delete(sessionId: string): Promise<void>;
  list(query: SessionPageQuery): Promise<SessionPage>;
  count(): Promise<number>;

  /**
   * Adds a turn and its line of history in one step; gives the turn that is there already for the same client key.
   * Errors: the refusal of {@link NewTurn}, with `data.openTurns`.
   */
  addTurn(turn: NewTurn): Promise<TurnRecord>;
  getTurn(turnId: string): Promise<TurnRecord | undefined>;
  findTurn(requestId: string): Promise<TurnRecord | undefined>;
  /** From `queued` to `running`. False when it was not queued: it was cancelled, or somebody else has it. */
  startTurn(turnId: string): Promise<boolean>;
  /**
   * Ends it, adds its reply to the history and keeps its last events. False when it had ended already, or when it was
   * to be ended from another state; nothing changes then.
   */
  endTurn(turnId: string, ending: TurnEnding): Promise<boolean>;
  /** The log has its last events: they need not be kept. */
  endTold(turnId: string): Promise<void>;
  /** Ends that the log may not have, oldest first. */
  untoldEnds(): Promise<readonly UntoldEnd[]>;
  /** Turns that have not ended, oldest first; of one session or of all. */
  openTurns(sessionId?: string): Promise<readonly TurnRecord[]>;

  /** `offset` lines are left out at the beginning. `total` counts all lines. */
  history(
    sessionId: string,
    page: { readonly limit: number; readonly offset: number },
  ): Promise<{ readonly items: readonly HistoryItem[]; readonly total: number }>;

  /** Adds a thread; one that is there already stays as it is. */
  addThread(thread: ThreadRecord): Promise<void>;
  /** Oldest first; the primary one is the first. */
  threads(sessionId: string): Promise<readonly ThreadRecord[]>;

  /** Twice is as good as once. */
  close(): Promise<void>;
}
