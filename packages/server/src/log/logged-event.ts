/** One event as it is given to the log. */
export interface NewEvent {
  /** What kind of event; becomes the `event:` field of Server-Sent Events. Letters, digits and `_ . : -`, at most 128. */
  readonly type: string;
  /** JSON text on one line. */
  readonly data: string;
  /**
   * An id that the caller chose, unique in the session: adding it again changes nothing and gives the seq of the first
   * time, for as long as that event is kept. Needed where the caller may have to repeat a request (F129). Visible ASCII, at most 256.
   */
  readonly eventId?: string | undefined;
  /** The thread of the session that the event belongs to; readers may ask for one thread only (R-49, GAP-97). */
  readonly threadId?: string | undefined;
}

/** One event as the log holds it. */
export interface LoggedEvent extends NewEvent {
  /** Place in the session: 1, 2, 3 …, without holes, the same after every restart (P2). */
  readonly seq: number;
  /** When it was added, in epoch milliseconds. */
  readonly atMs: number;
}

/** What an append gives back for each of its events. */
export interface AppendReceipt {
  readonly seq: number;
  /** True when an event with this id was there already; nothing was added then. */
  readonly isRepeat: boolean;
}

/** What an event costs beside its text, on a disk and in memory; it keeps a flood of empty events within byte limits. */
const EVENT_OVERHEAD_BYTES = 64;

/** The size of an event as all limits count it, in bytes. */
export function eventBytes({ type, data, eventId = '', threadId = '' }: NewEvent): number {
  return EVENT_OVERHEAD_BYTES + type.length + eventId.length + threadId.length + Buffer.byteLength(data);
}
