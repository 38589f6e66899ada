export interface NewEvent {
  /** Letters, digits and `_ . : -`, at most 128. */
  readonly type: string;
  /** JSON text on one line. */
  readonly data: string;
  /**
   * Idempotency key: appending it again returns the first seq while that event is kept. Visible ASCII, at most 256
   * characters.
   */
  readonly eventId?: string | undefined;
  readonly threadId?: string | undefined;
}

export interface LoggedEvent extends NewEvent {
  /** 1, 2, 3 … without gaps. */
  readonly seq: number;
  /** Epoch milliseconds. */
  readonly atMs: number;
}

export interface AppendReceipt {
  readonly seq: number;
  /** Nothing was added. */
  readonly isRepeat: boolean;
}

/** Makes byte limits apply to empty events too. */
const EVENT_OVERHEAD_BYTES = 64;

export function eventBytes({ type, data, eventId = '', threadId = '' }: NewEvent): number {
  return EVENT_OVERHEAD_BYTES + type.length + eventId.length + threadId.length + Buffer.byteLength(data);
}
