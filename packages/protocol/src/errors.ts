import * as z from 'zod/mini';
import { lazySchema } from './lazy-schema.js';

/** Meaning and consequences of an error code. The docs page and exit codes derive from it. */
export interface ErrorCodeInfo {
  readonly meaning: string;
  /** Whether the same request may succeed unchanged. */
  readonly retryable: boolean;
  readonly httpStatus: number;
  /** Exit code of a process that ends with this error. */
  readonly exitCode: number;
}

/** Defaults: exit code 1, not retryable. */
const row = (meaning: string, httpStatus: number, more: Partial<ErrorCodeInfo> = {}): ErrorCodeInfo => ({
  meaning,
  retryable: false,
  httpStatus,
  exitCode: 1,
  ...more,
});

const MAY_PASS = { retryable: true } as const;

/** Error codes raised by this program. Other programs may send other codes: keep them as strings. */
export const ERROR_CODES = {
  // CLI and options
  usage: row('A flag or option is unknown or has an invalid value.', 400, { exitCode: 2 }),
  invalid_options: row('An option of the SDK does not match its schema.', 400, { exitCode: 2 }),
  unsupported_node: row('The running Node.js is older than the package supports.', 500, { exitCode: 4 }),
  unsupported_protocol: row('The other side uses an unsupported protocol version.', 400, { exitCode: 3 }),
  missing_credentials: row('No model provider is configured.', 401),
  // The wire
  invalid_json: row('A line is not JSON.', 400),
  invalid_message: row('A line is JSON but not a valid message.', 400),
  line_too_long: row('A line is longer than the limit.', 413),
  channel_closed: row('The channel closed while the request was waiting.', 503),
  timeout: row('The request was not answered before its deadline.', 504, MAY_PASS),
  cancelled: row('The sender cancelled the request.', 499),
  unknown_subtype: row('The control request is not supported by this side.', 400),
  duplicate_request: row('The request ID is already in use.', 409),
  invalid_payload: row('The payload of a request or answer does not match its schema.', 400),
  late_response: row('An answer arrived after its request had ended and was ignored.', 409),
  unexpected_response: row('An answer arrived for an unknown request.', 409),
  overloaded: row('Too many requests are in flight.', 429, MAY_PASS),
  handler_failed: row('The handler of a request threw.', 500),
  already_reading: row('The stream already has a reader.', 409),
  unsupported_by_cli: row('The CLI does not support the requested feature.', 501),
  // The child process
  cli_not_found: row('The qwen executable could not be found.', 500),
  cwd_missing: row('The working directory does not exist or is not a directory.', 400),
  spawn_failed: row('The process could not be started.', 500),
  process_exited: row('The process exited before it finished.', 502, MAY_PASS),
  // The model
  auth_failed: row('The provider refused the credentials.', 401),
  permission_refused: row('The provider does not allow this account to make the request.', 403),
  invalid_request: row('The provider refused the request as malformed.', 400),
  model_not_found: row('The provider does not know the model.', 404),
  rate_limited: row('The provider asks for a longer delay than the client waits.', 429, MAY_PASS),
  provider_error: row('The provider failed.', 502, MAY_PASS),
  network_unavailable: row('The provider could not be reached.', 503, MAY_PASS),
  stream_interrupted: row('The answer ended early.', 502, MAY_PASS),
  stream_stalled: row('No more data of the answer arrived within the time limit.', 504, MAY_PASS),
  bad_model_response: row('The provider sent an invalid answer.', 502, MAY_PASS),
  context_overflow: row('The conversation is too long for the context window of the model.', 413),
  empty_answer: row('The model returned neither text nor tool calls, twice.', 502),
  answer_cut: row('The answer was cut off at the token limit, also after it was continued.', 502),
  content_filtered: row('The provider withheld the answer.', 422),
  // The agent
  aborted: row('The caller aborted the operation.', 499, { exitCode: 130 }),
  interrupted: row('The turn was interrupted.', 499, { exitCode: 130 }),
  max_turns: row('The turn reached its limit of model calls.', 422),
  budget_exceeded: row('The prompt exceeded its budget of time, tool calls or tokens.', 422),
  loop_detected: row('The model repeated the same calls too often.', 422),
  invalid_output: row('The model gave no answer that matches the output schema.', 422),
  hook_blocked: row('A hook blocked the action.', 403),
  hook_failed: row('A hook failed or timed out.', 500),
  unknown_agent: row('No subagent has this name.', 404),
  unknown_command: row('No slash command has this name.', 404),
  unknown_tool: row('No tool has this name.', 404),
  invalid_tool_input: row('The input of a tool does not match its schema.', 400),
  tool_failed: row('A tool failed.', 500),
  file_not_found: row('No file or folder has this path.', 404),
  path_refused: row('The path is outside the workspace.', 400),
  stale_file: row('The file changed since it was last read.', 409),
  search_timeout: row('The search exceeded its time limit.', 504),
  mcp_auth_required: row('An MCP server requires a sign-in.', 401),
  mcp_failed: row('An MCP server could not be reached or violated the protocol.', 502),
  sandbox_unavailable: row('Commands cannot run in the sandbox that was requested.', 500, {
    exitCode: 2,
  }),
  permission_denied: row('The permission rules or the user denied the call.', 403),
  // Sessions
  session_not_found: row('No session has this ID.', 404),
  message_not_found: row('The session has no message with this ID.', 404),
  task_not_found: row('The session has no background command with this ID.', 404),
  session_exists: row('A session with this ID already exists.', 409),
  session_busy: row('Another process is using the session.', 409),
  session_newer_version: row('The session was written by a newer version.', 409),
  storage_full: row('No space is left for the session file.', 507),
  storage_unwritable: row('The session file cannot be written.', 500),
  storage_busy: row('Another process has the storage open.', 409),
  storage_unreachable: row('The storage of the sessions cannot be reached.', 503, MAY_PASS),
  storage_damaged: row('The storage is damaged or was written by a newer version.', 500),
  lease_lost: row('Another process has taken over the session.', 409),
  session_finished: row('The session is finished and accepts no more events.', 409),
  invalid_cursor: row('The cursor or event ID does not exist in the session.', 400),
  turn_not_found: row('No turn has this ID, or the turn has ended.', 404),
  thread_not_found: row('The session has no thread with this ID.', 404),
  approval_not_found: row('No permission question has this ID, or it is already settled.', 404),
  // HTTP
  server_unreachable: row('The server of a remote query could not be reached.', 503, MAY_PASS),
  address_unavailable: row('The server cannot listen on the requested address.', 500),
  shutting_down: row('The server is shutting down and accepts no new work.', 503, MAY_PASS),
  unauthorized: row('The request has no valid credentials.', 401),
  forbidden: row('The token does not allow this request.', 403),
  quota_exceeded: row('The token has used up one of its limits.', 429, MAY_PASS),
  origin_refused: row('The server does not accept requests from this origin, host or user.', 403),
  shell_refused: row('A command file contains shell commands, which do not run over HTTP.', 400),
  turn_failed: row('The agent or its model failed in the turn.', 502),
  unknown_route: row('The server has no such route.', 404),
  method_not_allowed: row('The route does not accept this method.', 405),
  unsupported_media_type: row('The media type of the request body is not supported.', 415),
  payload_too_large: row('The request body is larger than the limit.', 413),
  // Settings
  invalid_settings: row('A settings file cannot be read or is invalid.', 400, {
    exitCode: 2,
  }),
  untrusted_folder: row('The project requests something that applies only in a trusted folder.', 403),
  // Everything else
  internal: row('An internal error occurred.', 500),
} as const satisfies Record<string, ErrorCodeInfo>;

export type ErrorCode = keyof typeof ERROR_CODES;

const BRAND = Symbol.for('qwen.AgentError');

/** Details of an error: plain JSON without secrets. */
export type ErrorData = Readonly<Record<string, unknown>>;

export interface AgentErrorOptions {
  readonly cause?: unknown;
  readonly data?: ErrorData;
}

/**
 * The error class. Decide by `code`, never by `message`. Use {@link AgentError.is}, which works across copies of
 * this package.
 *
 * @example
 * import { AgentError, query } from '@qwen/sdk';
 *
 * try {
 *   for await (const message of query({ prompt: 'hi' })) console.log(message);
 * } catch (error) {
 *   if (!AgentError.is(error) || error.code !== 'cli_not_found') throw error;
 *   console.error(`${error.message} Install @qwen/cli.`);
 * }
 */
export class AgentError extends Error {
  static {
    AgentError.prototype.name = 'AgentError';
    // Bundlers rename classes that refer to themselves, and Node.js prints the class name.
    Object.defineProperty(AgentError, 'name', { value: 'AgentError' });
  }

  readonly code: ErrorCode;
  readonly data: ErrorData;
  readonly [BRAND] = true;

  constructor(code: ErrorCode, message: string, options: AgentErrorOptions = {}) {
    super(message, 'cause' in options ? { cause: options.cause } : undefined);
    this.code = code;
    this.data = options.data ?? {};
  }

  get retryable(): boolean {
    // A newer program may send a code that is not in the table.
    return Object.hasOwn(ERROR_CODES, this.code) && ERROR_CODES[this.code].retryable;
  }

  /** `instanceof` is true for an AgentError of any copy of the package; subclasses keep the usual rule. */
  static override [Symbol.hasInstance](value: unknown): boolean {
    return this === AgentError ? AgentError.is(value) : Function.prototype[Symbol.hasInstance].call(this, value);
  }

  /** True for an AgentError of any copy of the package. */
  static is(value: unknown): value is AgentError {
    return typeof value === 'object' && value !== null && BRAND in value;
  }

  /** Converts any thrown value; an AgentError is returned unchanged. */
  static from(thrown: unknown, fallback: ErrorCode = 'internal'): AgentError {
    if (AgentError.is(thrown)) return thrown;
    return new AgentError(fallback, messageOf(thrown), { cause: thrown });
  }
}

export function messageOf(thrown: unknown): string {
  return thrown instanceof Error ? thrown.message : String(thrown);
}

/** The code of an error of the system, such as `ENOENT`. */
export function systemCodeOf(thrown: unknown): string | undefined {
  if (typeof thrown !== 'object' || thrown === null || !('code' in thrown)) return undefined;
  return typeof thrown.code === 'string' ? thrown.code : undefined;
}

/** An error on the wire; never contains a stack. */
export const wireErrorSchema = lazySchema(() =>
  z.looseObject({
    message: z.string(),
    code: z.optional(z.string()),
    retryable: z.optional(z.boolean()),
    data: z.optional(z.record(z.string(), z.unknown())),
  }),
);
export interface WireError {
  readonly message: string;
  readonly code?: string | undefined;
  readonly retryable?: boolean | undefined;
  readonly data?: ErrorData | undefined;
}

export function toWireError(error: AgentError): WireError {
  return {
    message: error.message,
    code: error.code,
    retryable: error.retryable,
    ...(Object.keys(error.data).length > 0 && { data: error.data }),
  };
}

/** Converts a wire error; an unknown code becomes `fallback` and is kept in `data.code`. */
export function fromWireError(error: WireError | string, fallback: ErrorCode = 'handler_failed'): AgentError {
  if (typeof error === 'string') return new AgentError(fallback, error);
  const { code, message, data } = error;
  if (code !== undefined && isErrorCode(code)) return new AgentError(code, message, data ? { data } : {});
  return new AgentError(fallback, message, { data: { ...data, ...(code !== undefined && { code }) } });
}

function isErrorCode(code: string): code is ErrorCode {
  return Object.hasOwn(ERROR_CODES, code);
}
