import type { AgentError } from '@qwen/protocol';
import type { AppendReceipt, LoggedEvent, NewEvent } from './logged-event.js';

/** Events for one session, which get consecutive seqs in this order. A batch has at most one per session and fence. */
export interface SessionAppend {
  readonly sessionId: string;
  readonly events: readonly NewEvent[];
  /** See {@link AppendOptions}. */
  readonly fence?: number | undefined;
}

/** One receipt per event, or the reason why none of them was added. */
export type AppendOutcome = readonly AppendReceipt[] | AgentError;

/** Both ends are exclusive. */
export interface EventRange {
  readonly sessionId: string;
  readonly afterSeq: number;
  /** Default: to the newest. */
  readonly beforeSeq?: number | undefined;
  readonly limit: number;
  /** A page has at least one event, whatever its size. */
  readonly maxBytes: number;
}

/** A snapshot of a session, with some of its events. */
export interface EventPage {
  /** Oldest first, without gaps. */
  readonly events: readonly LoggedEvent[];
  /** The oldest kept seq; `lastSeq + 1` if none is kept. */
  readonly firstSeq: number;
  /** The newest seq ever assigned; 0 before the first. */
  readonly lastSeq: number;
  readonly isFinished: boolean;
}

/** Limits of a session; its oldest events are dropped until all of them hold. Undefined: no limit. */
export interface Retention {
  readonly maxEvents?: number | undefined;
  readonly maxBytes?: number | undefined;
  readonly maxAgeMs?: number | undefined;
}

/** Receives the changes of one session by any process. Must not throw. */
export interface StoreListener {
  /** Durable events in seq order; may repeat known events and leave some out. */
  stored(events: readonly LoggedEvent[]): void;
  /** Everything up to this seq is durable, whether or not `stored` gets it. */
  reached(lastSeq: number): void;
  /** The last call. `finished` comes after all events. */
  ended(reason: 'finished' | 'deleted'): void;
}

/** In code unit order. */
export interface SessionIdPage {
  readonly sessionIds: readonly string[];
  readonly hasMore: boolean;
}

/**
 * Stores events. The log groups appends and manages subscribers. Errors of all methods: `session_not_found`,
 * `storage_full`, `storage_unwritable`, `storage_damaged`.
 */
export interface EventStore {
  /** Errors: `session_exists`. */
  create(sessionId: string): Promise<void>;
  /**
   * Writes all entries in one durable step. A failed entry does not affect the others; after a rejection it is
   * unknown whether anything was written. Errors of an entry: `session_not_found`, `session_finished`, `lease_lost`.
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
  close(): Promise<void>;
}
