import type { AgentError } from '@qwen/protocol';
import type { AppendReceipt, LoggedEvent, NewEvent } from './logged-event.js';

/** The events get consecutive seqs. A batch has at most one per session and fence. */
export interface SessionAppend {
  readonly sessionId: string;
  readonly events: readonly NewEvent[];
  /** See {@link AppendOptions}. */
  readonly fence?: string | undefined;
}

/** The error applies to all events. */
export type AppendOutcome = readonly AppendReceipt[] | AgentError;

/** Both ends are exclusive. */
export interface EventRange {
  readonly sessionId: string;
  readonly afterSeq: number;
  readonly beforeSeq?: number | undefined;
  readonly limit: number;
  /** At least one event is returned. */
  readonly maxBytes: number;
}

export interface EventPage {
  /** Oldest first, without gaps. */
  readonly events: readonly LoggedEvent[];
  /** The oldest kept seq; `lastSeq + 1` if none is kept. */
  readonly firstSeq: number;
  /** The newest seq ever assigned; 0 before the first. */
  readonly lastSeq: number;
  readonly isFinished: boolean;
}

/** The oldest events are dropped until all limits hold. */
export interface Retention {
  readonly maxEvents?: number | undefined;
  readonly maxBytes?: number | undefined;
  readonly maxAgeMs?: number | undefined;
}

/** Receives changes by any process. Must not throw. */
export interface StoreListener {
  /** In seq order; may repeat known events and leave some out. */
  stored(events: readonly LoggedEvent[]): void;
  /** Durable, whether or not `stored` gets it. */
  reached(lastSeq: number): void;
  /** The last call. */
  ended(reason: 'finished' | 'deleted'): void;
}

/** In code unit order. */
export interface SessionIdPage {
  readonly sessionIds: readonly string[];
  readonly hasMore: boolean;
}

/** Errors of all methods: `session_not_found`, `storage_full`, `storage_unwritable`, `storage_damaged`. */
export interface EventStore {
  /** Errors: `session_exists`. */
  create(sessionId: string): Promise<void>;
  /**
   * One durable step; a failed entry does not affect the others. After a rejection it is unknown whether anything
   * was written. Errors of an entry: `session_not_found`, `session_finished`, `lease_lost`.
   */
  append(batch: readonly SessionAppend[]): Promise<readonly AppendOutcome[]>;
  read(range: EventRange): Promise<EventPage>;
  seqOf(sessionId: string, eventId: string): Promise<number | undefined>;
  /** Returns the oldest kept seq. */
  evict(sessionId: string, retention: Retention): Promise<number>;
  /** Idempotent. */
  finish(sessionId: string): Promise<void>;
  delete(sessionId: string): Promise<void>;
  list(page: { readonly afterId: string; readonly limit: number }): Promise<SessionIdPage>;
  /** Starts synchronously. Returns the function that stops it. */
  watch(sessionId: string, listener: StoreListener): () => void;
  /** See `EventLog`. */
  backup?: (path: string) => Promise<void>;
  close(): Promise<void>;
}
