import { AgentError, toOneLine } from '@qwen/protocol';

const REQUEST_TIMED_OUT = -32001;
const CONNECTION_CLOSED = -32000;

const MAX_MESSAGE_LENGTH = 1000;

export interface RequestFailure {
  readonly name: string;
  readonly timeoutMs: number;
  readonly ending?: AgentError | undefined;
}

/**
 * `timeout`, `mcp_auth_required`, `mcp_failed` for the connection, `tool_failed` for an error answer.
 * `data.sessionLost`: the HTTP server lost our session and has not acted on the request.
 */
export async function toRequestError(error: unknown, failure: RequestFailure): Promise<AgentError> {
  const { name, timeoutMs, ending } = failure;
  if (AgentError.is(error)) return error;
  const { McpError } = await import('@modelcontextprotocol/sdk/types.js');
  if (error instanceof McpError) {
    if (error.code === REQUEST_TIMED_OUT) {
      return new AgentError('timeout', `${name} did not answer within ${timeoutMs} ms.`, { cause: error });
    }
    if (error.code === CONNECTION_CLOSED) {
      return new AgentError('mcp_failed', `${name}: ${ending?.message ?? error.message}`, { cause: error });
    }
    const message = `${name}: ${shorten(error.message)}`;
    return new AgentError('tool_failed', message, { cause: error, data: { mcpCode: error.code } });
  }
  return toTransportError(error, name);
}

export async function toTransportError(error: unknown, name: string): Promise<AgentError> {
  if (AgentError.is(error)) return error;
  const message = `${name}: ${shorten(error instanceof Error ? describe(error) : String(error))}`;
  if (!(error instanceof Error)) return new AgentError('mcp_failed', message, { cause: error });
  const { UnauthorizedError } = await import('@modelcontextprotocol/sdk/client/auth.js');
  const status = 'code' in error ? error.code : undefined;
  if (error instanceof UnauthorizedError || status === 401) {
    return new AgentError('mcp_auth_required', `${name} requires a sign-in.`, { cause: error });
  }
  const data = status === 404 ? { status, sessionLost: true } : typeof status === 'number' ? { status } : {};
  return new AgentError('mcp_failed', message, { cause: error, data });
}

/** `fetch` puts the reason into the cause. */
function describe(error: Error): string {
  const { message, cause } = error;
  return cause instanceof Error && cause.message !== '' ? `${message} (${cause.message})` : message;
}

/** Text of a server must not start a new log line or control a terminal. */
function shorten(text: string): string {
  return toOneLine(text).slice(0, MAX_MESSAGE_LENGTH);
}
