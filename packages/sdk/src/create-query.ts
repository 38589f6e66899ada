import { AgentError } from '@qwen/protocol';
import type { OutputOf, OutputSchema } from './mcp/input-schema.js';
import type { QueryOptions } from './options.js';
import { prepareQuery } from './prepare-query.js';
import type { Prompt, Query } from './query.js';

/** What to ask, and how to run the agent. */
export interface QueryRequest<Schema extends OutputSchema = OutputSchema> {
  /**
   * One prompt; or user messages as they come, in one session. The CLI stays until the last one is answered, so an
   * iterable may wait for a result before it yields the next message.
   */
  readonly prompt: Prompt;
  readonly options?: QueryOptions<Schema> | undefined;
}

/**
 * Starts an agent (O-53) and gives its messages as they come. The CLI runs as a child process and leaves by itself
 * after the last answer. Throws `invalid_options` and `cli_not_found`; every later failure is thrown by the iteration.
 * With an `outputSchema` of zod, `structured_output` of a result has the type of the schema.
 */
export function query<Schema extends OutputSchema>({
  prompt,
  options = {},
}: QueryRequest<Schema>): Query<OutputOf<Schema>> {
  checkPrompt(prompt);
  const running = prepareQuery<OutputOf<Schema>>(options);
  running.start(prompt);
  return running;
}

/** Throws `invalid_options` for what is no prompt. */
export function checkPrompt(prompt: unknown): void {
  const isIterable = typeof prompt === 'object' && prompt !== null && Symbol.asyncIterator in prompt;
  if (typeof prompt === 'string' || isIterable) return;
  throw new AgentError('invalid_options', 'prompt: expected a string or an async iterable of user messages');
}
