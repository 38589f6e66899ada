import type { EventPage, Retention, SessionIdPage } from './event-store.js';
import type { LogLimits } from './log-limits.js';
import type { LogSubscription } from './log-subscription.js';
import type { AppendReceipt, NewEvent } from './logged-event.js';

export interface ReadOptions {
  /** Exclusive. Default 0. */
  readonly afterSeq?: number | undefined;
  /** Exclusive. */
  readonly beforeSeq?: number | undefined;
  /** Default and maximum 1,000. */
  readonly limit?: number | undefined;
}

export interface AppendOptions {
  /** Fence of the writer; the log refuses an outdated one. Only stores for several processes check it. */
  readonly fence?: string | undefined;
  /** After a failed append of a writer, its later ones fail with the same error, so that its events have no gap. */
  readonly writer?: object | undefined;
}

export interface AttachOptions {
  /** The last known seq. `newest`: only new events. Default 0. */
  readonly afterSeq?: number | 'newest' | undefined;
  readonly threadId?: string | undefined;
}

/**
 * The durable event log of sessions. Acknowledged events survive a crash, and every reader gets each event after its
 * cursor once. Errors of all methods: `session_not_found`, `invalid_payload`, `channel_closed`, `storage_full`,
 * `storage_unwritable`, `storage_damaged`.
 */
export interface EventLog {
  /** Errors: `session_exists`. */
  create(sessionId: string): Promise<void>;
  /**
   * Resolves with one receipt per event when the events are durable. Calls keep their order. Errors:
   * `session_finished`, `lease_lost`, `overloaded`.
   */
  append(sessionId: string, events: readonly NewEvent[], options?: AppendOptions): Promise<readonly AppendReceipt[]>;
  read(sessionId: string, options?: ReadOptions): Promise<EventPage>;
  seqOf(sessionId: string, eventId: string): Promise<number | undefined>;
  /**
   * Follows a session: its history, then new events. The caller closes the subscription. Errors: `invalid_cursor`;
   * `overloaded` with too many subscribers.
   */
  attach(sessionId: string, options?: AttachOptions): Promise<LogSubscription>;
  /** Its subscribers end when they have all events. */
  finish(sessionId: string): Promise<void>;
  /** Its subscribers end at once. */
  delete(sessionId: string): Promise<void>;
  /** In code unit order; `limit` defaults to 1,000. */
  list(options?: { readonly afterId?: string; readonly limit?: number }): Promise<SessionIdPage>;
  /** Applies the retention; returns the oldest kept seq. */
  evict(sessionId: string): Promise<number>;
  /** Writes a consistent copy to a new file. Undefined for logs that are not files. */
  readonly backup?: ((path: string) => Promise<void>) | undefined;
  /** Idempotent. */
  close(): Promise<void>;
}

export interface EventLogOptions {
  /** Default: keep everything. */
  readonly retention?: Retention | undefined;
  readonly limits?: Partial<LogLimits> | undefined;
}
