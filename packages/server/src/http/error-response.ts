import { randomUUID } from 'node:crypto';
import { AgentError, ERROR_CODES, type WireError } from '@qwen/protocol';

export interface ErrorResponseOptions {
  /** Formats the error for an API. Default `{error: {message, code, retryable, data?}}`. */
  readonly toBody?: ((error: WireError) => unknown) | undefined;
  /** Receives errors that are hidden from clients. Must not throw. */
  readonly onFault?: ((errorId: string, thrown: unknown) => void) | undefined;
}

/** Server errors only get an id, because their messages may contain paths, keys or stacks. */
export function errorResponse(thrown: unknown, options: ErrorResponseOptions = {}): Response {
  const error = AgentError.from(thrown);
  const { httpStatus: status, meaning } = ERROR_CODES[error.code];
  const { toBody = (wire: WireError) => ({ error: wire }) } = options;
  const headers = new Headers({
    'content-type': 'application/json; charset=utf-8',
    'cache-control': 'no-store',
    'x-content-type-options': 'nosniff',
  });
  if (error.code === 'unauthorized') headers.set('www-authenticate', 'Bearer realm="qwen"');
  for (const [name, value] of Object.entries(Object(error.data['headers']))) headers.set(name, String(value));
  // The unread rest of the body would be parsed as the next request.
  if (status === 413 || status === 415) headers.set('connection', 'close');
  const wire: WireError = { message: error.message, code: error.code, retryable: error.retryable };
  if (status < 500) return new Response(JSON.stringify(toBody(wire)), { status, headers });
  const errorId = randomUUID();
  options.onFault?.(errorId, thrown);
  const hidden = { ...wire, message: meaning, data: { error_id: errorId } };
  return new Response(JSON.stringify(toBody(hidden)), { status, headers });
}
