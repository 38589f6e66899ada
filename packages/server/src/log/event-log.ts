import type { EventPage, Retention, SessionIdPage } from './event-store.js';
import type { LogLimits } from './log-limits.js';
import type { LogSubscription } from './log-subscription.js';
import type { AppendReceipt, NewEvent } from './logged-event.js';

/** Which part of a session a reader wants. */
export interface ReadOptions {
  /** Exclusive. Default 0: from the oldest. */
  readonly afterSeq?: number | undefined;
  /** Exclusive. Default: to the newest. */
  readonly beforeSeq?: number | undefined;
  /** Default 1,000, which is also the most. A page may hold fewer when its events are large. */
  readonly limit?: number | undefined;
}

export interface AppendOptions {
  /**
   * Number of the lease under which a process writes. Who comes with a lower one than the session has seen is refused:
   * another process has taken over meanwhile. Stores of one process have no such thing. Default: not asked about.
   */
  readonly fence?: number | undefined;
}

export interface AttachOptions {
  /** The last seq that the reader has; the next one is the first that it gets. `newest`: nothing of the past. Default 0. */
  readonly afterSeq?: number | 'newest' | undefined;
  /** Only events of this thread. Default: all. */
  readonly threadId?: string | undefined;
}

/**
 * The durable history of sessions and the live end of it (DESIGN §8, P1, P2). Each session is a list of events numbered
 * 1, 2, 3 …; what was acknowledged is there after any crash, and every reader gets every event after its cursor once.
 *
 * Errors of all verbs: `session_not_found`, `invalid_payload` for what is no session id or no event, `channel_closed`
 * after `close()`, and what the store says: `storage_full`, `storage_unwritable`, `storage_damaged`.
 */
export interface EventLog {
  /** Makes an empty session. Errors: `session_exists`. */
  create(sessionId: string): Promise<void>;
  /**
   * Adds events and resolves once they are durable; only then does anybody see them. Calls keep their order. Neighbouring
   * calls share one durable step. One receipt an event. Errors: `session_finished`, `lease_lost`; `overloaded` when more
   * waits to be written than the limit.
   */
  append(sessionId: string, events: readonly NewEvent[], options?: AppendOptions): Promise<readonly AppendReceipt[]>;
  /** One page of the past. */
  read(sessionId: string, options?: ReadOptions): Promise<EventPage>;
  /** The seq of a kept event by the id that its caller gave it. */
  seqOf(sessionId: string, eventId: string): Promise<number | undefined>;
  /**
   * Follows a session from a seq on, first the past, then what comes. Errors: `invalid_cursor` for a seq that is no
   * whole number or that the session has not reached; `overloaded` when the session has as many subscribers as it may.
   * The caller closes the subscription.
   */
  attach(sessionId: string, options?: AttachOptions): Promise<LogSubscription>;
  /** Says that a session gets no more events; its subscribers end once they have all. */
  finish(sessionId: string): Promise<void>;
  /** Removes a session for good; its subscribers end at once. */
  delete(sessionId: string): Promise<void>;
  /** Session ids after one of them, in the order of their code units. `limit` is 1,000 when missing. */
  list(options?: { readonly afterId?: string; readonly limit?: number }): Promise<SessionIdPage>;
  /** Drops what the retention lets go, of one session; gives the oldest seq that is left. */
  evict(sessionId: string): Promise<number>;
  /** Writes what still waits, ends all subscriptions, closes the store. Twice is as good as once. */
  close(): Promise<void>;
}

export interface EventLogOptions {
  /** What is kept of each session. Default: everything, for as long as the session is there (GAP-95). */
  readonly retention?: Retention | undefined;
  readonly limits?: Partial<LogLimits> | undefined;
}
