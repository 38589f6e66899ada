import * as z from 'zod/mini';
import { lazySchema } from './lazy-schema.js';

/** Meaning and consequences of an error code. The docs page and exit codes derive from it. */
export interface ErrorCodeInfo {
  readonly meaning: string;
  /** Whether the same request may succeed unchanged. */
  readonly retryable: boolean;
  /** HTTP status of an answer with this error. */
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
  usage: row('A flag or option is unknown or has a bad value.', 400, { exitCode: 2 }),
  invalid_options: row('Options given to the SDK do not fit their schema.', 400, { exitCode: 2 }),
  unsupported_node: row('The running Node.js is older than the package needs.', 500),
  unsupported_protocol: row('The peer speaks a protocol version that we do not.', 400, { exitCode: 3 }),
  missing_credentials: row('No way to reach a model is configured.', 401),
  // The wire
  invalid_json: row('A line is not JSON.', 400),
  invalid_message: row('A line is JSON but not a message that we know how to read.', 400),
  line_too_long: row('A line is longer than the limit.', 413),
  channel_closed: row('The channel closed while the request was waiting.', 503),
  timeout: row('Nobody answered before the deadline.', 504, MAY_PASS),
  cancelled: row('The request was withdrawn by its sender.', 499),
  unknown_subtype: row('A control request of a kind that this side does not serve.', 400),
  duplicate_request: row('A request id that is already in use.', 409),
  invalid_payload: row('The payload of a control request or answer does not fit its schema.', 400),
  late_response: row('An answer came after its request had ended; it changes nothing.', 409),
  unexpected_response: row('An answer to a request that was never asked.', 409),
  overloaded: row('Too many requests are in flight.', 429, MAY_PASS),
  handler_failed: row('The handler of a request threw.', 500),
  already_reading: row('A stream that has one reader was to be read twice.', 409),
  unsupported_by_cli: row('The CLI at the other end cannot do what was asked of it.', 501),
  // The child process
  cli_not_found: row('The qwen executable could not be found.', 500),
  cwd_missing: row('The working directory does not exist or is not a directory.', 400),
  spawn_failed: row('The process could not be started.', 500),
  process_exited: row('The process ended before its work was done.', 502, MAY_PASS),
  // The model
  auth_failed: row('The provider refused the credentials.', 401),
  permission_refused: row('The provider refused this account the request.', 403),
  invalid_request: row('The provider refused the request as malformed.', 400),
  model_not_found: row('The provider does not know the model.', 404),
  rate_limited: row('The provider asks to wait longer than we do by ourselves.', 429, MAY_PASS),
  provider_error: row('The provider failed.', 502, MAY_PASS),
  network_unavailable: row('The provider could not be reached.', 503, MAY_PASS),
  stream_interrupted: row('The answer broke off before its end.', 502, MAY_PASS),
  stream_stalled: row('The answer stopped arriving.', 504, MAY_PASS),
  bad_model_response: row('The provider sent something that is not an answer.', 502, MAY_PASS),
  context_overflow: row('The conversation is longer than the model takes.', 413),
  empty_answer: row('The model returned neither text nor tool calls, twice.', 502),
  answer_cut: row('The answer was cut off at the token limit, also after it was continued.', 502),
  content_filtered: row('The provider withheld the answer.', 422),
  // The agent
  aborted: row('The caller aborted.', 499, { exitCode: 130 }),
  interrupted: row('The turn was interrupted.', 499, { exitCode: 130 }),
  max_turns: row('The turn used up its model calls.', 422),
  budget_exceeded: row('The prompt used up its budget of time, tool calls or tokens.', 422),
  loop_detected: row('The model made the same call over and over.', 422),
  invalid_output: row('The model gave no answer that fits the output schema.', 422),
  hook_blocked: row('A hook said no.', 403),
  hook_failed: row('A hook failed or was too late.', 500),
  unknown_agent: row('No subagent has this name.', 404),
  unknown_command: row('No slash command has this name.', 404),
  unknown_tool: row('No tool has this name.', 404),
  invalid_tool_input: row('The input of a tool does not fit its schema.', 400),
  tool_failed: row('A tool failed.', 500),
  file_not_found: row('No file or folder has this path.', 404),
  path_refused: row('A path leads out of the workspace.', 400),
  stale_file: row('A file changed since it was last read.', 409),
  search_timeout: row('A search took longer than its limit.', 504),
  mcp_auth_required: row('An MCP server wants to be signed in to.', 401),
  mcp_failed: row('An MCP server could not be reached or broke its protocol.', 502),
  permission_denied: row('The permission rules or the person asked said no.', 403),
  // Sessions
  session_not_found: row('No session has this id.', 404),
  message_not_found: row('The session has no message with this id.', 404),
  session_exists: row('A session with this id exists already.', 409),
  session_busy: row('Another process writes this session.', 409),
  session_newer_version: row('The session was written by a newer version.', 409),
  storage_full: row('No space is left for the session file.', 507),
  storage_unwritable: row('The session file cannot be written.', 500),
  storage_busy: row('Another process has the storage open.', 409),
  storage_unreachable: row('The storage of the sessions cannot be reached.', 503, MAY_PASS),
  storage_damaged: row('The storage is damaged or was written by a newer version.', 500),
  lease_lost: row('Another process has taken over the session.', 409),
  session_finished: row('The session takes no more events.', 409),
  invalid_cursor: row('A place in the history of a session that it does not have.', 400),
  turn_not_found: row('No turn has this id, or it has ended.', 404),
  thread_not_found: row('The session has no thread with this id.', 404),
  approval_not_found: row('No permission question has this id, or it is settled.', 404),
  // HTTP
  server_unreachable: row('The server of a remote query could not be reached.', 503, MAY_PASS),
  address_unavailable: row('The server cannot listen at the address that it was given.', 500),
  shutting_down: row('The server is about to end and takes nothing new.', 503, MAY_PASS),
  unauthorized: row('The request carries no valid credentials.', 401),
  origin_refused: row('The request comes from a place that may not use this server.', 403),
  shell_refused: row('A command file holds shell commands, which are not run here.', 400),
  turn_failed: row('The agent or its model failed in the turn.', 502),
  unknown_route: row('The server has no such route.', 404),
  method_not_allowed: row('The route does not take this method.', 405),
  unsupported_media_type: row('The body of a request is of a type that is not taken.', 415),
  payload_too_large: row('The body of a request is larger than the limit.', 413),
  // Settings
  invalid_settings: row('A settings file cannot be read or says something that is not understood.', 400, {
    exitCode: 2,
  }),
  untrusted_folder: row('What a project asks for counts only in a trusted folder.', 403),
  // Everything else
  internal: row('A fault of ours.', 500),
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
    const message = thrown instanceof Error ? thrown.message : String(thrown);
    return new AgentError(fallback, message, { cause: thrown });
  }
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
