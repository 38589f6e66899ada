import type { EventPage, Retention, SessionIdPage } from './event-store.js';
import type { LogLimits } from './log-limits.js';
import type { LogSubscription } from './log-subscription.js';
import type { AppendReceipt, NewEvent } from './logged-event.js';

export interface ReadOptions {
  /** Exclusive. Default 0: from the oldest. */
  readonly afterSeq?: number | undefined;
  /** Exclusive. Default: to the newest. */
  readonly beforeSeq?: number | undefined;
  /** Default and maximum 1,000. A page may hold fewer if its events are large. */
  readonly limit?: number | undefined;
}

export interface AppendOptions {
  /** Fence of the lease under which a process writes; one lower than the session has seen is refused. Default: no check. */
  readonly fence?: number | undefined;
  /**
   * Identifies the writer of ordered appends. Once an append of a writer has failed, its later ones fail with the same
   * error, so that its events have no hole. Default: appends are independent.
   */
  readonly writer?: object | undefined;
}

export interface AttachOptions {
  /** The last seq that the reader has. `newest`: only new events. Default 0. */
  readonly afterSeq?: number | 'newest' | undefined;
  /** Only events of this thread. Default: all. */
  readonly threadId?: string | undefined;
}

/**
 * The durable history of sessions and their live end. Each session is a list of events numbered 1, 2, 3 …;
 * acknowledged events survive any crash, and every reader gets every event after its cursor once.
 *
 * Errors of all methods: `session_not_found`; `invalid_payload` for an invalid session id or event; `channel_closed`
 * after `close()`; `storage_full`, `storage_unwritable`, `storage_damaged`.
 */
export interface EventLog {
  /** Errors: `session_exists`. */
  create(sessionId: string): Promise<void>;
  /**
   * Resolves with one receipt per event when the events are durable; readers see them only then. Calls keep their
   * order and share durable steps. Errors: `session_finished`, `lease_lost`; `overloaded` if too much waits to be
   * written.
   */
  append(sessionId: string, events: readonly NewEvent[], options?: AppendOptions): Promise<readonly AppendReceipt[]>;
  read(sessionId: string, options?: ReadOptions): Promise<EventPage>;
  /** The seq of a kept event by its event id. */
  seqOf(sessionId: string, eventId: string): Promise<number | undefined>;
  /**
   * Follows a session: first its history, then new events. The caller closes the subscription. Errors:
   * `invalid_cursor` for a seq that is invalid or not reached; `overloaded` if the session has too many subscribers.
   */
  attach(sessionId: string, options?: AttachOptions): Promise<LogSubscription>;
  /** Ends a session; its subscribers end when they have all events. */
  finish(sessionId: string): Promise<void>;
  /** Removes a session; its subscribers end at once. */
  delete(sessionId: string): Promise<void>;
  /** Session ids in code unit order. `limit` defaults to 1,000. */
  list(options?: { readonly afterId?: string; readonly limit?: number }): Promise<SessionIdPage>;
  /** Applies the retention to one session; returns its oldest kept seq. */
  evict(sessionId: string): Promise<number>;
  /** Writes what is pending, ends all subscriptions and closes the store. Idempotent. */
  close(): Promise<void>;
}

export interface EventLogOptions {
  /** What is kept of each session. Default: everything. */
  readonly retention?: Retention | undefined;
  readonly limits?: Partial<LogLimits> | undefined;
}
