import {
  AgentError,
  type ContentBlock,
  type ErrorCode,
  type SDKMessage,
  type SDKResultMessage,
  type SDKResultSuccess,
  type Usage,
} from '@qwen/protocol';
import { AbortError } from '../errors.js';
import type { OutputOf, OutputSchema } from '../mcp/input-schema.js';
import type { QueryOptions } from '../options/options.js';
import { query } from './create-query.js';
import type { Query, QueryMessage } from './query.js';
import { oneMessage } from './user-message.js';

/** Options of {@link ask}. */
export interface AskOptions<Schema extends OutputSchema = OutputSchema> extends QueryOptions<Schema> {
  /** Aborting it ends the agent: the promise rejects with `AbortError`. */
  readonly signal?: AbortSignal | undefined;
}

/** What {@link ask} resolves with. */
export interface AskResult<Output = unknown> {
  /** The last text of the model. */
  readonly text: string;
  /** The value that matches `outputSchema`; undefined without one. */
  readonly output: Output | undefined;
  readonly result: SDKResultSuccess & { readonly structured_output?: Output | undefined };
  /** Tokens of the turn, subagents included. */
  readonly usage: Usage;
  /** In US dollars; undefined if a price is unknown. */
  readonly cost: number | undefined;
  /** Everything that the query yielded, in order. */
  readonly messages: readonly QueryMessage<Output>[];
  /** For `resume`. */
  readonly sessionId: string;
}

/** What an {@link AskError} knows of the failed turn. */
export interface AskFailure {
  /** The result of the turn; undefined if the CLI ended before it. */
  readonly result?: SDKResultMessage | undefined;
  /** Everything that the query yielded before it failed. */
  readonly messages: readonly SDKMessage[];
  readonly sessionId: string | undefined;
}

/**
 * Thrown by {@link ask} if the turn has not succeeded. `code` is that of the result or of the error in `cause`:
 * `interrupted`, `max_turns`, `process_exited` and so on; `turn_failed` if there is none.
 *
 * @example
 * import { AskError, ask } from '@qwen/sdk';
 *
 * try {
 *   console.log((await ask('Fix the tests.', { budget: { turns: 20 } })).text);
 * } catch (error) {
 *   if (!(error instanceof AskError)) throw error;
 *   console.error(error.code, error.message, error.result?.usage, `after ${error.messages.length} messages`);
 * }
 */
export class AskError extends AgentError {
  static {
    AskError.prototype.name = 'AskError';
    Object.defineProperty(AskError, 'name', { value: 'AskError' });
  }

  readonly result: SDKResultMessage | undefined;
  readonly messages: readonly SDKMessage[];
  readonly sessionId: string | undefined;

  constructor(cause: AgentError, { result, messages, sessionId }: AskFailure) {
    super(cause.code, cause.message, { cause, data: cause.data });
    this.result = result;
    this.messages = messages;
    this.sessionId = sessionId;
  }
}

/**
 * Runs one prompt to its end and resolves with the answer. The agent and its process have ended by then, also if the
 * promise rejects. Takes the options of `query()` and a `signal`. `prompt` is text, or content blocks for images.
 *
 * @example
 * import { ask } from '@qwen/sdk';
 *
 * const { text, usage, cost } = await ask('What does this project do?', { permissionMode: 'plan' });
 * console.log(text, usage.total_tokens, cost);
 *
 * @throws {AskError} if the turn fails, is interrupted, or its process ends early.
 * @throws {AbortError} if `signal` or `abortController` aborts.
 * @throws {AgentError} `invalid_options` or `cli_not_found`.
 */
export function ask<Schema extends OutputSchema>(
  prompt: string | readonly ContentBlock[],
  options: AskOptions<Schema> & { readonly outputSchema: Schema },
): Promise<AskResult<OutputOf<Schema>> & { readonly output: OutputOf<Schema> }>;
export function ask<Schema extends OutputSchema>(
  prompt: string | readonly ContentBlock[],
  options?: AskOptions<Schema>,
): Promise<AskResult<OutputOf<Schema>>>;
export async function ask<Schema extends OutputSchema>(
  prompt: string | readonly ContentBlock[],
  { signal, ...options }: AskOptions<Schema> = {},
): Promise<AskResult<OutputOf<Schema>>> {
  const sources = checkArguments(prompt, signal, options.abortController);
  const aborted = sources.find((source) => source.aborted);
  if (aborted !== undefined) throw new AbortError(undefined, { cause: aborted.reason });
  const abortController = new AbortController();
  const finished = new AbortController();
  for (const source of sources) {
    const abort = () => abortController.abort(source.reason);
    source.addEventListener('abort', abort, { once: true, signal: finished.signal });
  }
  const messages: QueryMessage<OutputOf<Schema>>[] = [];
  let running: Query<OutputOf<Schema>>;
  let thrown: unknown;
  try {
    running = query<Schema>({
      prompt: typeof prompt === 'string' ? prompt : oneMessage([...prompt]),
      options: { ...options, abortController },
    });
    try {
      for await (const message of running) messages.push(message);
    } catch (error) {
      thrown = error;
    }
    // The iteration throws before the process is gone.
    await running.closed;
  } finally {
    finished.abort();
  }
  const result = messages.findLast((message) => message.type === 'result');
  if (thrown === undefined && result?.subtype === 'success') {
    return {
      text: result.result,
      output: result.structured_output,
      result,
      usage: result.usage,
      cost: result.total_cost_usd,
      messages,
      sessionId: result.session_id,
    };
  }
  if (thrown instanceof AbortError) throw thrown;
  const cause = thrown === undefined ? toError(result) : AgentError.from(thrown);
  throw new AskError(cause, { result, messages, sessionId: running.sessionId });
}

function checkArguments(prompt: unknown, signal: unknown, controller: unknown): AbortSignal[] {
  if (typeof prompt !== 'string' && !Array.isArray(prompt)) {
    throw new AgentError('invalid_options', 'prompt: expected a string or an array of content blocks');
  }
  const ofController = controller === undefined ? undefined : Object(controller).signal;
  if (controller !== undefined && !isSignal(ofController)) {
    throw new AgentError('invalid_options', 'options.abortController: expected an AbortController');
  }
  if (signal !== undefined && !isSignal(signal)) {
    throw new AgentError('invalid_options', 'options.signal: expected an AbortSignal');
  }
  return [signal, ofController].filter(isSignal);
}

/** Not with `instanceof`: test environments have their own class. */
function isSignal(value: unknown): value is AbortSignal {
  return typeof value === 'object' && value !== null && 'aborted' in value;
}

function toError(result: SDKResultMessage | undefined): AgentError {
  if (result === undefined) return new AgentError('turn_failed', 'The agent ended without a result.');
  const { terminal_reason: reason } = result;
  if (result.subtype === 'interrupted') {
    const who = reason === undefined ? '' : ` (${reason})`;
    return new AgentError('interrupted', `The turn was interrupted${who}.`);
  }
  const { code, message } = result.error ?? {};
  // A code of a newer CLI is kept: AgentError allows any string at run time.
  return new AgentError((code as ErrorCode | undefined) ?? 'turn_failed', message ?? 'The turn failed.', {
    data: { subtype: result.subtype, ...(reason !== undefined && { terminalReason: reason }) },
  });
}
