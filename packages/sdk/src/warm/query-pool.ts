import { AgentError } from '@qwen/protocol';
import { checkPrompt } from '../create-query.js';
import type { OutputOf, OutputSchema } from '../mcp/input-schema.js';
import type { QueryOptions } from '../options.js';
import { prepareQuery } from '../prepare-query.js';
import type { Prompt, Query } from '../query.js';
import { WarmQuery } from './startup.js';

/** More warm processes than this are a mistake rather than a wish. */
const MAX_SIZE = 64;

/** Options that name one session or one channel, which no second query can have. */
const ONE_QUERY_ONLY = ['sessionId', 'resume', 'continue', 'abortController', 'transport'] as const;

export interface QueryPoolOptions<Schema extends OutputSchema = OutputSchema> {
  /** How many CLIs wait for a prompt, 1 to 64. Default 1. */
  readonly size?: number | undefined;
  /** For every query alike. Options that name one session are refused. */
  readonly options?: QueryOptions<Schema> | undefined;
}

/**
 * CLIs that wait for prompts, so that a query costs no start of a process (FB19). Each query uses one up, and another
 * one starts in its place. A CLI that died while it waited is not handed out: the query then starts cold.
 */
export class QueryPool<Output = unknown> implements AsyncDisposable {
  readonly #options: QueryOptions;
  readonly #size: number;
  #warm: WarmQuery<Output>[] = [];
  #isClosed = false;

  /** `createPool()` makes one. Does no I/O. */
  constructor(options: QueryOptions, size: number) {
    this.#options = options;
    this.#size = size;
  }

  /** Starts as many CLIs as are missing. Throws what the start of a query throws. */
  fill(): void {
    this.#warm = this.#warm.filter(({ isUsable }) => isUsable);
    while (!this.#isClosed && this.#warm.length < this.#size) this.#warm.push(this.#start());
  }

  /** Resolves when the pool is full and every CLI of it is ready; rejects with why one is not. Need not be awaited. */
  async ready(): Promise<void> {
    this.fill();
    await Promise.all(this.#warm.map(({ ready }) => ready));
  }

  /** How many CLIs wait now, those included that are still starting. */
  get waitingCount(): number {
    return this.#warm.filter(({ isUsable }) => isUsable).length;
  }

  /** Starts a query with the CLI that waited longest. Throws `channel_closed` after {@link close}. */
  query(prompt: Prompt): Query<Output> {
    checkPrompt(prompt);
    if (this.#isClosed) throw new AgentError('channel_closed', 'This pool is closed.');
    this.#warm = this.#warm.filter(({ isUsable }) => isUsable);
    const running = (this.#warm.shift() ?? this.#start()).query(prompt);
    // Starting a process takes milliseconds of this one: the prompt goes first.
    setImmediate(() => this.#refill());
    return running;
  }

  /** Ends the CLIs that wait; queries that run go on. Resolves when they are gone. Idempotent, never rejects. */
  async close(): Promise<void> {
    this.#isClosed = true;
    await Promise.all(this.#warm.map((warm) => warm.close()));
    this.#warm = [];
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.close();
  }

  /** Only behind a query: a CLI that dies at its start must not be started again and again. */
  #refill(): void {
    try {
      this.fill();
    } catch {
      // Nobody is there to catch it. The next query starts a CLI of its own, and throws it there.
    }
  }

  #start(): WarmQuery<Output> {
    const query = prepareQuery<Output>(this.#options);
    query.start();
    return new WarmQuery(query);
  }
}

/**
 * Starts CLIs ahead of their prompts. Whoever makes a pool closes it. Throws `invalid_options`, also for options that
 * only one query can have, and `cli_not_found`.
 */
export function createPool<Schema extends OutputSchema>({
  size = 1,
  options = {},
}: QueryPoolOptions<Schema> = {}): QueryPool<OutputOf<Schema>> {
  if (!Number.isInteger(size) || size < 1 || size > MAX_SIZE) {
    throw new AgentError('invalid_options', `size: expected a whole number from 1 to ${MAX_SIZE}`);
  }
  const taken = ONE_QUERY_ONLY.find((name) => options[name] !== undefined);
  if (taken !== undefined) {
    throw new AgentError('invalid_options', `options.${taken}: a pool makes many queries, and this is for one`);
  }
  const pool = new QueryPool<OutputOf<Schema>>(options, size);
  pool.fill();
  return pool;
}
