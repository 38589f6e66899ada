import { AgentError } from '../errors.js';

export interface AsyncQueueOptions<T> {
  /** Called once when the reader leaves early; its exception reaches the reader. */
  readonly onReturn?: () => void | Promise<void>;
  /** Weight of an item in bytes. Called for each push and merge, so it must be cheap. Default: 0. */
  readonly weigh?: (item: T) => number;
  /** Merges two neighbors, or returns undefined to keep them apart. */
  readonly merge?: (previous: T, next: T) => T | undefined;
  /** Neighbors are merged above this many queued bytes. Default 0. */
  readonly mergeAboveBytes?: number;
  /** Above this many queued bytes, `onFlow(true)` is called. Default: never. */
  readonly highWaterBytes?: number;
  /** At or below this many bytes after a pause, `onFlow(false)` is called. Default: half of `highWaterBytes`. */
  readonly lowWaterBytes?: number;
  /** Pauses and resumes the writers; calls alternate, starting with a pause. Must not throw. */
  readonly onFlow?: (paused: boolean) => void;
}

interface Entry<T> {
  item: T;
  weight: number;
}

type Ending = { failed: false } | { failed: true; error: unknown };

/**
 * Many writers, one reader, in order. `push` never blocks and drops nothing: a slow reader shows as weight, which
 * `merge` keeps small and `onFlow` reports. The reader gets everything that was queued before `end` or `fail`. Leaving
 * the loop early drops the rest and calls `onReturn`.
 */
export class AsyncQueue<T> implements AsyncIterable<T> {
  readonly #options: AsyncQueueOptions<T>;
  #entries: (Entry<T> | undefined)[] = [];
  /** Entries before this index were read; shifting a long array per item would be quadratic. */
  #head = 0;
  #weight = 0;
  #waiting: PromiseWithResolvers<IteratorResult<T, undefined>>[] = [];
  #ending: Ending | undefined;
  #paused = false;
  #hasReader = false;

  constructor(options: AsyncQueueOptions<T> = {}) {
    this.#options = options;
  }

  get size(): number {
    return this.#entries.length - this.#head;
  }

  get weight(): number {
    return this.#weight;
  }

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

  /** Ends the queue. The first of `end` and `fail` counts. */
  end(): void {
    this.#finish({ failed: false });
  }

  fail(error: unknown): void {
    this.#finish({ failed: true, error });
  }

  /** Throws `already_reading` for a second reader, which would get part of the items. */
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
    // The error is delivered once; later reads see the end.
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
    // Only the first reader gets the error, as with a generator.
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
    // Removes half the array, so that the copies add up to linear time.
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
