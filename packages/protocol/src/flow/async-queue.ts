import { AgentError } from '../errors.js';

export interface AsyncQueueOptions<T> {
  /** Called once when the reader leaves early (`break`, `return()`); what it throws reaches the reader. */
  readonly onReturn?: () => void | Promise<void>;
  /** Weight of an item in bytes. Called for each push and each merge, so it must be cheap. Default: nothing weighs. */
  readonly weigh?: (item: T) => number;
  /** Joins two neighbours into one that says the same, or returns undefined when they must stay apart. */
  readonly merge?: (previous: T, next: T) => T | undefined;
  /** Neighbours are merged while more than this many bytes wait. Default 0: whenever something waits. */
  readonly mergeAboveBytes?: number;
  /** More waiting bytes than this call `onFlow(true)`. Default: never. */
  readonly highWaterBytes?: number;
  /** At most this many waiting bytes after a pause call `onFlow(false)`. Default: half of `highWaterBytes`. */
  readonly lowWaterBytes?: number;
  /** Tells the writers to pause or to go on; the two calls alternate, the first one pauses. Must not throw. */
  readonly onFlow?: (paused: boolean) => void;
}

interface Entry<T> {
  item: T;
  weight: number;
}

type Ending = { failed: false } | { failed: true; error: unknown };

/**
 * Many writers, one reader, in order. `push` never blocks and drops nothing: a slow reader shows as
 * weight, which `merge` keeps small and `onFlow` reports. The reader ends after everything that was queued before
 * `end` or `fail`. Leaving the loop early drops the rest and calls `onReturn`, which closes what feeds the queue.
 */
export class AsyncQueue<T> implements AsyncIterable<T> {
  readonly #options: AsyncQueueOptions<T>;
  #entries: (Entry<T> | undefined)[] = [];
  /** Entries before this index were read; shifting a long array for each item would take quadratic time. */
  #head = 0;
  #weight = 0;
  #waiting: PromiseWithResolvers<IteratorResult<T, undefined>>[] = [];
  #ending: Ending | undefined;
  #paused = false;
  #hasReader = false;

  constructor(options: AsyncQueueOptions<T> = {}) {
    this.#options = options;
  }

  /** How many items wait to be read. */
  get size(): number {
    return this.#entries.length - this.#head;
  }

  /** How many bytes wait to be read, as `weigh` counts them. */
  get weight(): number {
    return this.#weight;
  }

  /** Adds an item; ignored after the end. */
  push(item: T): void {
    if (this.#ending !== undefined) return;
    const reader = this.#waiting.shift();
    if (reader !== undefined) {
      reader.resolve({ done: false, value: item });
      return;
    }
    if (!this.#mergeIntoLast(item)) this.#append(item);
    if (!this.#paused && this.#weight > (this.#options.highWaterBytes ?? Infinity)) this.#setPaused(true);
  }

  /** No more items will come. The first of `end` and `fail` counts. */
  end(): void {
    this.#finish({ failed: false });
  }

  /** The reader gets this error after what is queued. */
  fail(error: unknown): void {
    this.#finish({ failed: true, error });
  }

  /** Throws `already_reading` when somebody reads already: two readers would each get a part. */
  [Symbol.asyncIterator](): AsyncIterator<T, undefined> {
    if (this.#hasReader) throw new AgentError('already_reading', 'This stream already has a reader.');
    this.#hasReader = true;
    return { next: () => this.#next(), return: () => this.#return() };
  }

  #next(): Promise<IteratorResult<T, undefined>> {
    const entry = this.#take();
    if (entry !== undefined) return Promise.resolve({ done: false, value: entry.item });
    if (this.#ending === undefined) {
      const reader = Promise.withResolvers<IteratorResult<T, undefined>>();
      this.#waiting.push(reader);
      return reader.promise;
    }
    const ending = this.#ending;
    // The error is told once; whoever asks again learns that the stream is over.
    this.#ending = { failed: false };
    return ending.failed ? Promise.reject(ending.error) : Promise.resolve({ done: true, value: undefined });
  }

  async #return(): Promise<IteratorResult<T, undefined>> {
    const isEarly = this.#ending === undefined || this.size > 0 || this.#ending.failed;
    this.#entries = [];
    this.#head = 0;
    this.#weight = 0;
    this.#finish({ failed: false });
    this.#ending = { failed: false };
    if (isEarly) await this.#options.onReturn?.();
    return { done: true, value: undefined };
  }

  #finish(ending: Ending): void {
    if (this.#ending !== undefined) return;
    this.#ending = ending;
    const readers = this.#waiting;
    this.#waiting = [];
    // Only the first one gets the error, as with a generator.
    for (const reader of readers) {
      this.#next().then(reader.resolve, reader.reject);
    }
  }

  #append(item: T): void {
    const weight = this.#options.weigh?.(item) ?? 0;
    this.#entries.push({ item, weight });
    this.#weight += weight;
  }

  #mergeIntoLast(item: T): boolean {
    const { merge, mergeAboveBytes = 0, weigh } = this.#options;
    const last = this.size > 0 ? this.#entries.at(-1) : undefined;
    if (merge === undefined || last === undefined || this.#weight <= mergeAboveBytes) return false;
    const merged = merge(last.item, item);
    if (merged === undefined) return false;
    const weight = weigh?.(merged) ?? 0;
    this.#weight += weight - last.weight;
    last.item = merged;
    last.weight = weight;
    return true;
  }

  #take(): Entry<T> | undefined {
    const entry = this.#entries[this.#head];
    if (entry === undefined) return undefined;
    this.#entries[this.#head] = undefined;
    this.#head += 1;
    // Half the array at a time, so that the copies add up to linear time.
    if (this.#head * 2 >= this.#entries.length) {
      this.#entries = this.#entries.slice(this.#head);
      this.#head = 0;
    }
    this.#weight -= entry.weight;
    const lowWater = this.#options.lowWaterBytes ?? (this.#options.highWaterBytes ?? 0) / 2;
    if (this.#paused && this.#weight <= lowWater) this.#setPaused(false);
    return entry;
  }

  #setPaused(paused: boolean): void {
    this.#paused = paused;
    this.#options.onFlow?.(paused);
  }
}
