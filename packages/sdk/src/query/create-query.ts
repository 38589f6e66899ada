import { AgentError } from '@qwen/protocol';
import { foreignFlags } from '../foreign-cli/foreign-flags.js';
import type { OutputOf, OutputSchema } from '../mcp/input-schema.js';
import { checkOptions, warnOfUnusedCallback } from '../options/check-options.js';
import type { QueryOptions } from '../options/options.js';
import { createSessionId } from '../session-id.js';
import { StoredTransport } from '../stores/stored-transport.js';
import { openQueryTrace } from '../telemetry/open-query-trace.js';
import { createTransport } from '../transport/create-transport.js';
import { forks, toArguments } from '../transport/spawn-args.js';
import type { Prompt } from './input-pump.js';
import { createProblemReport } from './problem-report.js';
import { type Query, toQuery } from './query.js';
import { QueryConnection } from './query-connection.js';

/** The argument of {@link query}. */
export interface QueryRequest<Schema extends OutputSchema = OutputSchema> {
  /**
   * One prompt, or user messages for one session. The CLI stays until the last message is answered, so an iterable
   * may wait for a result before it yields the next message.
   */
  readonly prompt: Prompt;
  readonly options?: QueryOptions<Schema> | undefined;
}

/**
 * Runs an agent and yields its messages. The CLI runs as a child process and exits after the last result.
 *
 * With a zod `outputSchema`, `structured_output` of a result has the inferred type.
 *
 * @example
 * import { query } from '@qwen/sdk';
 *
 * for await (const message of query({ prompt: 'What does this project do?' })) {
 *   if (message.type === 'result') console.log(message.result);
 * }
 *
 * @throws {AgentError} `invalid_options`, `cli_not_found` or `unsupported_node`. The iteration throws every later error.
 */
export function query<Schema extends OutputSchema>({
  prompt,
  options = {},
}: QueryRequest<Schema>): Query<OutputOf<Schema>> {
  checkPrompt(prompt);
  const connection = prepareQuery(options);
  connection.sendPrompt(prompt);
  connection.start();
  return toQuery(connection);
}

/** Creates a query without starting it. Throws `invalid_options` and `cli_not_found`. */
export function prepareQuery(options: QueryOptions): QueryConnection {
  const checked = checkOptions(options);
  warnOfUnusedCallback(checked);
  const sessionId = choosesSessionId(checked) ? (checked.sessionId ?? createSessionId()) : checked.sessionId;
  const args = toArguments({ ...checked, sessionId });
  createProblemReport(checked).debug(() => `starts the CLI with ${args.join(' ')}`);
  const more = foreignFlags(checked);
  const trace = openQueryTrace('qwen.query');
  const create = (flags: readonly string[]) => createTransport(checked, [...flags, ...more], () => trace?.forChild());
  const transport = create(args);
  const { sessionStore: store } = checked;
  const stored =
    store &&
    new StoredTransport({
      options: { ...checked, sessionId },
      store,
      create: (choice, flags) => create([...toArguments({ ...checked, ...choice }), ...flags]),
    });
  return new QueryConnection({
    options: checked,
    transport: stored ?? transport,
    trace,
    sessionId: forks(checked) ? sessionId : (sessionId ?? checked.resume),
  });
}

/** Throws `invalid_options` for anything but text and async iterables. */
export function checkPrompt(prompt: unknown): void {
  const isIterable = typeof prompt === 'object' && prompt !== null && Symbol.asyncIterator in prompt;
  if (typeof prompt === 'string' || isIterable) return;
  throw new AgentError('invalid_options', 'prompt: expected a string or an async iterable of user messages');
}

/** The SDK names a new session if it starts the CLI: the id travels as a flag. */
function choosesSessionId({ resume, continue: continues, transport }: QueryOptions): boolean {
  return resume === undefined && continues !== true && transport === undefined;
}
