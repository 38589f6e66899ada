import { randomUUID } from 'node:crypto';
import { AgentError, ERROR_CODES, type WireError } from '@qwen/protocol';

export interface ErrorResponseOptions {
  /** Formats the error for an API. Default `{error: {message, code, retryable, data?}}`. */
  readonly toBody?: ((error: WireError) => unknown) | undefined;
  /** Receives errors that are hidden from clients. Must not throw. */
  readonly onFault?: ((errorId: string, thrown: unknown) => void) | undefined;
}

/** A refusal whose response has further headers, such as `retry-after`. */
export class RefusalWithHeaders extends AgentError {
  readonly headers: Readonly<Record<string, string>>;

  constructor(code: AgentError['code'], message: string, headers: Readonly<Record<string, string>>) {
    super(code, message);
    this.headers = headers;
  }
}

/** For an error of the server, clients get only an ID, because messages may contain paths, keys or stacks. */
export function errorResponse(thrown: unknown, options: ErrorResponseOptions = {}): Response {
  const error = AgentError.from(thrown);
  // A newer copy of the protocol may have other codes.
  const code = Object.hasOwn(ERROR_CODES, error.code) ? error.code : 'internal';
  const { httpStatus: status, meaning } = ERROR_CODES[code];
  const { toBody = (wire: WireError) => ({ error: wire }) } = options;
  const headers = new Headers({
    'content-type': 'application/json; charset=utf-8',
    'cache-control': 'no-store',
    'x-content-type-options': 'nosniff',
  });
  if (error.code === 'unauthorized') headers.set('www-authenticate', 'Bearer realm="qwen"');
  if (error instanceof RefusalWithHeaders) for (const header of Object.entries(error.headers)) headers.set(...header);
  // The unread rest of the body would be parsed as the next request.
  if (status === 413 || status === 415) headers.set('connection', 'close');
  const wire: WireError = { message: error.message, code: error.code, retryable: error.retryable };
  if (status < 500) return new Response(JSON.stringify(toBody(wire)), { status, headers });
  const errorId = randomUUID();
  options.onFault?.(errorId, thrown);
  const hidden = { ...wire, message: meaning, data: { error_id: errorId } };
  return new Response(JSON.stringify(toBody(hidden)), { status, headers });
}
