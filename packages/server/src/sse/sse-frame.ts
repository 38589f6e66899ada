import { AgentError } from '@qwen/protocol';

export interface SseEvent {
  /** Undefined: the client keeps its last id. */
  readonly id?: string | undefined;
  /** The `event:` field. */
  readonly type: string;
  /** JSON text on one line. */
  readonly data: string;
}

const LINE_BREAK = /[\r\n]/;

/** Errors: `internal` for a line break in any field, and for NUL in the id. */
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

/** A comment. */
export const HEARTBEAT = ': \n\n';

export function formatRetry(delayMs: number): string {
  return `retry: ${Math.round(delayMs)}\n\n`;
}
