import { AgentError } from '@qwen/protocol';
import type { OutputOf, OutputSchema } from '../mcp/input-schema.js';
import type { QueryOptions } from '../options/options.js';
import { checkPrompt, prepareQuery } from '../query/create-query.js';
import type { Prompt } from '../query/input-pump.js';
import type { Query } from '../query/query.js';
import { toWarmQuery, type WarmQuery } from './startup.js';

const MAX_SIZE = 64;

/** Options that belong to one session or one channel. */
const ONE_QUERY_ONLY = ['sessionId', 'resume', 'continue', 'abortController', 'transport'] as const;

export interface QueryPoolOptions<Schema extends OutputSchema = OutputSchema> {
  /** Number of CLIs that wait for a prompt, 1 to 64. Default: 1. */
  readonly size?: number | undefined;
  /** For every query. Options of a single session or channel throw `invalid_options`. */
  readonly options?: QueryOptions<Schema> | undefined;
}

/**
 * Keeps CLIs running so that a query need not wait for a process to start. Each query takes one, and another is
 * started to replace it. If a waiting CLI has exited, the query starts its own.
 */
export class QueryPool<Output = unknown> implements AsyncDisposable {
  readonly #options: QueryOptions;
  readonly #size: number;
  #warm: WarmQuery<Output>[] = [];
  #isClosed = false;

  /** Use `createPool()`. Does no I/O. */
  constructor(options: QueryOptions, size: number) {
    this.#options = options;
    this.#size = size;
  }

  /** Starts the missing CLIs. Throws the errors of `query()`. */
  fill(): void {
    this.#warm = this.#warm.filter(({ isUsable }) => isUsable);
    while (!this.#isClosed && this.#warm.length < this.#size) this.#warm.push(this.#start());
  }

  /** Fills the pool. Resolves when every CLI is ready; rejects if one fails to start. No need to await it. */
  async ready(): Promise<void> {
    this.fill();
    await Promise.all(this.#warm.map(({ ready }) => ready));
  }

  /** Number of CLIs that wait for a prompt, including those still starting. */
  get waitingCount(): number {
    return this.#warm.filter(({ isUsable }) => isUsable).length;
  }

  /** Runs a query on the CLI that has waited longest. Throws `channel_closed` after {@link close}. */
  query(prompt: Prompt): Query<Output> {
    checkPrompt(prompt);
    if (this.#isClosed) throw new AgentError('channel_closed', 'This pool is closed.');
    this.#warm = this.#warm.filter(({ isUsable }) => isUsable);
    const running = (this.#warm.shift() ?? this.#start()).query(prompt);
    // Spawning blocks for milliseconds: the prompt goes first.
    setImmediate(() => this.#refill());
    return running;
  }

  /** Ends the waiting CLIs, not the running queries. Resolves when they are gone. Idempotent, never rejects. */
  async close(): Promise<void> {
    this.#isClosed = true;
    await Promise.all(this.#warm.map((warm) => warm.close()));
    this.#warm = [];
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.close();
  }

  /** Only after a query: a CLI that fails at startup must not be restarted in a loop. */
  #refill(): void {
    try {
      this.fill();
    } catch {
      // The next query starts its own CLI and throws the error.
    }
  }

  #start(): WarmQuery<Output> {
    const connection = prepareQuery(this.#options);
    connection.start();
    return toWarmQuery(connection);
  }
}

/**
 * Starts CLIs ahead of their prompts. The caller closes the pool.
 *
 * @example
 * import { createPool } from '@qwen/sdk';
 *
 * await using pool = createPool({ size: 2, options: { model: 'qwen3-coder' } });
 * for await (const message of pool.query('Summarize README.md')) console.log(message);
 *
 * @throws {AgentError} `invalid_options` or `cli_not_found`.
 */
export function createPool<Schema extends OutputSchema>({
  size = 1,
  options = {},
}: QueryPoolOptions<Schema> = {}): QueryPool<OutputOf<Schema>> {
  if (!Number.isInteger(size) || size < 1 || size > MAX_SIZE) {
    throw new AgentError('invalid_options', `size: expected an integer from 1 to ${MAX_SIZE}`);
  }
  const taken = ONE_QUERY_ONLY.find((name) => options[name] !== undefined);
  if (taken !== undefined) {
    throw new AgentError('invalid_options', `options.${taken} belongs to a single query and cannot be set for a pool`);
  }
  const pool = new QueryPool<OutputOf<Schema>>(options, size);
  pool.fill();
  return pool;
}
