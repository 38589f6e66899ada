export interface NewEvent {
  /** The `event:` field of Server-Sent Events. Letters, digits and `_ . : -`, at most 128. */
  readonly type: string;
  /** JSON text on one line. */
  readonly data: string;
  /**
   * Idempotency key, unique in the session: appending it again returns the first seq, as long as that event is kept.
   * Visible ASCII, at most 256 characters.
   */
  readonly eventId?: string | undefined;
  /** Readers may follow a single thread. */
  readonly threadId?: string | undefined;
}

export interface LoggedEvent extends NewEvent {
  /** Position in the session: 1, 2, 3 …, without gaps, stable across restarts. */
  readonly seq: number;
  /** Epoch milliseconds. */
  readonly atMs: number;
}

export interface AppendReceipt {
  readonly seq: number;
  /** Whether an event with this id existed; nothing was added then. */
  readonly isRepeat: boolean;
}

/** Storage overhead per event; makes byte limits apply to empty events too. */
const EVENT_OVERHEAD_BYTES = 64;

/** The size that all limits count. */
export function eventBytes({ type, data, eventId = '', threadId = '' }: NewEvent): number {
  return EVENT_OVERHEAD_BYTES + type.length + eventId.length + threadId.length + Buffer.byteLength(data);
}
