import { AgentError } from '@qwen/protocol';

export interface SseEvent {
  /** Sent back as `Last-Event-ID`. Undefined: the client keeps its last id. */
  readonly id?: string | undefined;
  /** The `event:` field. */
  readonly type: string;
  /** JSON text on one line. */
  readonly data: string;
}

const LINE_BREAK = /[\r\n]/;

/**
 * Formats an event. JSON has no raw line breaks, so `data` is a single line. Errors: `internal` for a line break in
 * any field, and for NUL in the id, which clients ignore.
 */
export function formatEvent({ id, type, data }: SseEvent): string {
  if (
    LINE_BREAK.test(type) ||
    LINE_BREAK.test(data) ||
    (id !== undefined && (LINE_BREAK.test(id) || id.includes('\0')))
  ) {
    throw new AgentError('internal', 'A field of an event stream contains a line break.');
  }
  return `${id === undefined ? '' : `id: ${id}\n`}event: ${type}\ndata: ${data}\n\n`;
}

/** A comment, which clients ignore. */
export const HEARTBEAT = ': \n\n';

/** The client's reconnection delay, in milliseconds. */
export function formatRetry(delayMs: number): string {
  return `retry: ${Math.round(delayMs)}\n\n`;
}
