import { AgentError, toOneLine } from '@qwen/protocol';

const CONNECTION_CLOSED = -32000;
const UNSUPPORTED_VERSION = -32022;
const INVALID_RESULT = 'INVALID_RESULT';
const INVALID_ANSWERS: ReadonlySet<string> = new Set(['ZodError', '$ZodError', 'SyntaxError']);
const MAX_MESSAGE_LENGTH = 1000;
/** HTTP statuses of a server that expects another transport, by "Backwards Compatibility" in the specification. */
const REFUSALS: ReadonlySet<unknown> = new Set([400, 404, 405]);

export interface RequestFailure {
  readonly name: string;
  readonly timeoutMs: number;
  readonly ending?: AgentError | undefined;
  readonly advice?: string | undefined;
}

/**
 * `timeout`, `mcp_auth_required`, `mcp_failed` for the connection, `tool_failed` for an error answer.
 * `data.sessionLost`: the HTTP server lost our session and has not acted on the request.
 */
export async function toRequestError(error: unknown, failure: RequestFailure): Promise<AgentError> {
  const { name, timeoutMs, ending, advice } = failure;
  if (AgentError.is(error)) return error;
  const { ProtocolError, SdkError, SdkErrorCode } = await import('@modelcontextprotocol/client');
  if (error instanceof SdkError && error.code === SdkErrorCode.RequestTimeout) {
    return new AgentError('timeout', `${name} did not answer within ${timeoutMs} ms.`, { cause: error });
  }
  const isClosed = error instanceof SdkError && error.code === SdkErrorCode.ConnectionClosed;
  if (isClosed || (error instanceof ProtocolError && error.code === CONNECTION_CLOSED)) {
    return new AgentError('mcp_failed', `${name}: ${ending?.message ?? error.message}`, { cause: error });
  }
  if (error instanceof ProtocolError) {
    const message = `${name}: ${shorten(error.message)}`;
    const refusesInitialize = error.code === UNSUPPORTED_VERSION;
    const data = { mcpCode: error.code, ...(refusesInitialize && { refusesInitialize }) };
    return new AgentError('tool_failed', message, { cause: error, data });
  }
  return toTransportError(error, name, advice);
}

export async function toTransportError(error: unknown, name: string, advice?: string): Promise<AgentError> {
  if (AgentError.is(error)) return error;
  // The library wraps what `fetch` rejected with.
  if (error instanceof Error && AgentError.is(error.cause)) return error.cause;
  const problem = `${name}: ${shorten(error instanceof Error ? describe(error) : String(error))}`;
  if (!(error instanceof Error)) return new AgentError('mcp_failed', problem, { cause: error });
  const { SseError, UnauthorizedError } = await import('@modelcontextprotocol/client');
  if (error instanceof SseError)
    return new AgentError('mcp_failed', advise(problem, error.code, advice), { cause: error });
  const status = 'status' in error ? error.status : undefined;
  if (error instanceof UnauthorizedError || status === 401) {
    return new AgentError('mcp_auth_required', `${name} requires a sign-in.`, { cause: error });
  }
  const data = status === 404 ? { status, sessionLost: true } : typeof status === 'number' ? { status } : {};
  return new AgentError('mcp_failed', advise(problem, status, advice), { cause: error, data });
}

function advise(problem: string, status: unknown, advice: string | undefined): string {
  return advice !== undefined && REFUSALS.has(status) ? `${problem} ${advice}` : problem;
}

function describe(error: Error): string {
  // The library reports what its schemas refused, and JSON that it could not read.
  if (INVALID_ANSWERS.has(error.name) || ('code' in error && error.code === INVALID_RESULT)) {
    return 'The server sent an invalid answer.';
  }
  const { message, cause } = error;
  if ('status' in error && typeof error.status === 'number' && !message.includes('HTTP')) {
    return `HTTP ${error.status}. ${message}`;
  }
  // `fetch` puts the reason into the cause.
  return cause instanceof Error && cause.message !== '' ? `${message} (${cause.message})` : message;
}

/** Text of a server must not start a new log line or control a terminal. */
function shorten(text: string): string {
  return toOneLine(text).slice(0, MAX_MESSAGE_LENGTH);
}
