import { AgentError } from '@qwen/protocol';

/** One event of a Server-Sent Events stream. */
export interface SseEvent {
  /** What the client sends back as `Last-Event-ID`. Missing: the client keeps the one it has. */
  readonly id?: string | undefined;
  /** The `event:` field. */
  readonly type: string;
  /** JSON text on one line. */
  readonly data: string;
}

const LINE_BREAK = /[\r\n]/;

/**
 * An event as text, with the blank line that ends it. JSON has no raw line breaks, so `data` is one line; U+2028 and
 * whatever looks like a field are nothing special inside of it (F136). Errors: `internal` for a line break anywhere,
 * and for NUL in an id, which clients ignore (T16).
 */
export function formatEvent({ id, type, data }: SseEvent): string {
  if (
    LINE_BREAK.test(type) ||
    LINE_BREAK.test(data) ||
    (id !== undefined && (LINE_BREAK.test(id) || id.includes('\0')))
  ) {
    throw new AgentError('internal', 'A field of an event stream must not have a line break.');
  }
  return `${id === undefined ? '' : `id: ${id}\n`}event: ${type}\ndata: ${data}\n\n`;
}

/** A comment: it keeps a connection alive and no client shows it. */
export const HEARTBEAT = ': \n\n';

/** How long the client waits before it comes back, in milliseconds. */
export function formatRetry(delayMs: number): string {
  return `retry: ${Math.round(delayMs)}\n\n`;
}
