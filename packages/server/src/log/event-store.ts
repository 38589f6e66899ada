import type { AgentError } from '@qwen/protocol';
import type { AppendReceipt, LoggedEvent, NewEvent } from './logged-event.js';

/** Events for one session; they get neighbouring seqs, in this order. */
export interface SessionAppend {
  readonly sessionId: string;
  readonly events: readonly NewEvent[];
  /** See {@link AppendOptions}. */
  readonly fence?: number | undefined;
}

/** What became of one {@link SessionAppend}: one receipt an event, or why nothing of it was added. */
export type AppendOutcome = readonly AppendReceipt[] | AgentError;

/** Which events to read; both ends are exclusive. */
export interface EventRange {
  readonly sessionId: string;
  readonly afterSeq: number;
  /** Missing: to the newest. */
  readonly beforeSeq?: number | undefined;
  /** At most so many events. */
  readonly limit: number;
  /** At most so many bytes, but always at least one event. */
  readonly maxBytes: number;
}

/** Where a session stands, together with some of its events, all of the same moment. */
export interface EventPage {
  /** Oldest first, without holes. */
  readonly events: readonly LoggedEvent[];
  /** The oldest seq that is kept; one more than `lastSeq` when nothing is. */
  readonly firstSeq: number;
  /** The newest seq that was ever given; 0 before the first. */
  readonly lastSeq: number;
  /** No event will be added any more. */
  readonly isFinished: boolean;
}

/** What may be dropped of a session: its oldest events, until all of these hold. Missing: no limit of that kind. */
export interface Retention {
  readonly maxEvents?: number | undefined;
  readonly maxBytes?: number | undefined;
  /** Events older than this may go. */
  readonly maxAgeMs?: number | undefined;
}

/** Hears what happens to one session, whichever process did it. Must not throw. */
export interface StoreListener {
  /** Events that are durable now, in the order of their seqs; some may be known already, and some may be left out. */
  stored(events: readonly LoggedEvent[]): void;
  /** Everything up to this seq is durable, whether or not it was or will be given to `stored`. */
  reached(lastSeq: number): void;
  /** Nothing more will come. `finished` follows all its events. */
  ended(reason: 'finished' | 'deleted'): void;
}

/** A page of session ids, in the order of their code units. */
export interface SessionIdPage {
  readonly sessionIds: readonly string[];
  readonly hasMore: boolean;
}

/**
 * Where events live. The log above it groups appends, keeps subscribers and their limits; a store only stores and tells.
 * Errors of all verbs: `session_not_found`, `storage_full`, `storage_unwritable`, `storage_damaged`.
 */
export interface EventStore {
  /** Errors: `session_exists`. */
  create(sessionId: string): Promise<void>;
  /**
   * Adds everything in one durable step. One bad entry leaves the others alone; a rejection means that nothing is known
   * to be added. Errors of an entry: `session_not_found`, `session_finished`, `lease_lost`.
   */
  append(batch: readonly SessionAppend[]): Promise<readonly AppendOutcome[]>;
  read(range: EventRange): Promise<EventPage>;
  /** The seq of a kept event by its id. */
  seqOf(sessionId: string, eventId: string): Promise<number | undefined>;
  /** Drops the oldest events; gives the oldest seq that is left. */
  evict(sessionId: string, retention: Retention): Promise<number>;
  /** Says that nothing more will be added. Twice is as good as once. */
  finish(sessionId: string): Promise<void>;
  delete(sessionId: string): Promise<void>;
  list(page: { readonly afterId: string; readonly limit: number }): Promise<SessionIdPage>;
  /** Starts to tell about a session, at once and synchronously. Gives the function that stops it. */
  watch(sessionId: string, listener: StoreListener): () => void;
  /** Lets go of everything; verbs fail afterwards. */
  close(): Promise<void>;
}
