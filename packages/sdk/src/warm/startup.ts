import { AgentError } from '@qwen/protocol';
import type { OutputOf, OutputSchema } from '../mcp/input-schema.js';
import type { QueryOptions } from '../options/options.js';
import { checkPrompt, prepareQuery } from '../query/create-query.js';
import type { Prompt } from '../query/input-pump.js';
import { type Query, toQuery } from '../query/query.js';
import type { QueryConnection } from '../query/query-connection.js';
import type { CloseOptions, TransportExit } from '../transport/transport.js';

/** Takes a started connection that has no prompt. */
export let toWarmQuery: <Output>(connection: QueryConnection) => WarmQuery<Output>;

/** A running CLI that waits for its prompt. The caller uses or closes it. */
export class WarmQuery<Output = unknown> implements AsyncDisposable {
  readonly #connection: QueryConnection;
  #isUsed = false;

  private constructor(connection: QueryConnection) {
    this.#connection = connection;
  }

  static {
    toWarmQuery = (connection) => new WarmQuery(connection);
  }

  /** Whether {@link query} can be called: it was not called before, and the CLI is running. */
  get isUsable(): boolean {
    return !this.#isUsed && !this.#connection.ended;
  }

  /** Resolves when the CLI is ready; rejects if it fails to start. No need to await it. */
  get ready(): Promise<void> {
    return this.#connection.initialized.then(() => undefined);
  }

  /** Resolves with the exit status when the CLI is gone. Never rejects. */
  get closed(): Promise<TransportExit> {
    return this.#connection.closed;
  }

  /**
   * Sends the prompt. Can be called once: throws `already_reading` after that. If the CLI has exited, the iteration
   * throws the reason.
   */
  query(prompt: Prompt): Query<Output> {
    checkPrompt(prompt);
    if (this.#isUsed) throw new AgentError('already_reading', 'A warm CLI answers one query. Call startup() again.');
    this.#isUsed = true;
    this.#connection.sendPrompt(prompt);
    return toQuery(this.#connection);
  }

  /** Ends an unused CLI; after {@link query}, close the query instead. Idempotent, never rejects. */
  async close(options?: CloseOptions): Promise<void> {
    if (!this.#isUsed) await this.#connection.close(options);
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.close();
  }
}

/**
 * Starts a CLI ahead of its prompt and resolves when it is ready. Rejects with `invalid_options`, `cli_not_found` and
 * errors of the start; no process is left then.
 *
 * @example
 * import { startup } from '@qwen/sdk';
 *
 * await using warm = await startup();
 * for await (const message of warm.query('Summarize README.md')) console.log(message);
 */
export async function startup<Schema extends OutputSchema>(
  options: QueryOptions<Schema> = {},
): Promise<WarmQuery<OutputOf<Schema>>> {
  const warming = prepareQuery(options);
  warming.start();
  try {
    await warming.initialized;
  } catch (thrown) {
    await warming.close();
    throw thrown;
  }
  return toWarmQuery(warming);
}
