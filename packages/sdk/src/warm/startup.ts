import { AgentError } from '@qwen/protocol';
import { checkPrompt } from '../create-query.js';
import type { OutputOf, OutputSchema } from '../mcp/input-schema.js';
import type { QueryOptions } from '../options.js';
import { prepareQuery } from '../prepare-query.js';
import type { Prompt, Query } from '../query.js';
import type { CloseOptions, TransportExit } from '../transport/transport.js';

/** A CLI that is up and waits for its prompt. Whoever started it closes it, or uses it. */
export class WarmQuery<Output = unknown> implements AsyncDisposable {
  readonly #query: Query<Output>;
  #isUsed = false;

  /** `startup()` makes one. */
  constructor(query: Query<Output>) {
    this.#query = query;
  }

  /** Whether {@link query} would work: it was not called yet, and the CLI is alive. */
  get isUsable(): boolean {
    return !this.#isUsed && !this.#query.isClosed();
  }

  /** Settles when the CLI is ready, which one of `startup()` is; rejects with why it is not. Need not be awaited. */
  get ready(): Promise<void> {
    return this.#query.initialized;
  }

  /** Settles when the CLI is gone, with how it went. Never rejects. */
  get closed(): Promise<TransportExit> {
    return this.#query.closed;
  }

  /**
   * Sends the prompt, without the wait for a process. Works once, because a session belongs to its process: throws
   * `already_reading` the second time. When the CLI has died meanwhile, the iteration throws what it died of.
   */
  query(prompt: Prompt): Query<Output> {
    checkPrompt(prompt);
    if (this.#isUsed) throw new AgentError('already_reading', 'A warm CLI answers one query; start another one.');
    this.#isUsed = true;
    this.#query.say(prompt);
    return this.#query;
  }

  /** Ends a CLI that nobody uses; a query that was made of it ends by its own rules. Idempotent, never rejects. */
  async close(options?: CloseOptions): Promise<void> {
    if (!this.#isUsed) await this.#query.close(options);
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.close();
  }
}

/**
 * Starts a CLI ahead of its prompt and resolves when it is ready. Throws `invalid_options` and `cli_not_found`, and what
 * the start fails with; then no process is left.
 */
export async function startup<Schema extends OutputSchema>(
  options: QueryOptions<Schema> = {},
): Promise<WarmQuery<OutputOf<Schema>>> {
  const warming = prepareQuery<OutputOf<Schema>>(options);
  warming.start();
  try {
    await warming.initialized;
  } catch (thrown) {
    await warming.close();
    throw thrown;
  }
  return new WarmQuery(warming);
}
