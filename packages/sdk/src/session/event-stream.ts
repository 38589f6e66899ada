import { AgentError, AsyncQueue } from '@qwen/protocol';
import type { QwenEvent, QwenEventIterator } from '../terminal/events.js';

const HIGH_WATER_BYTES = 4 * 1024 * 1024;

const LOW_WATER_BYTES = 1024 * 1024;

interface QueuedEvent {
  readonly event: QwenEvent;
  readonly bytes: number;
}

/** The CLI pauses while any reader is behind. */
export class FlowVotes {
  readonly #behind = new Set<EventStream>();
  readonly #onFlow: (paused: boolean) => void;

  /** `onFlow` must not throw. */
  constructor(onFlow: (paused: boolean) => void) {
    this.#onFlow = onFlow;
  }

  get paused(): boolean {
    return this.#behind.size > 0;
  }

  vote(stream: EventStream, isBehind: boolean): void {
    const before = this.paused;
    if (isBehind) this.#behind.add(stream);
    else this.#behind.delete(stream);
    if (before !== this.paused) this.#onFlow(this.paused);
  }
}

/** Bounded through flow control. Without a reader it drops events beyond the bound: the CLI must not pause. */
export class EventStream {
  readonly #votes: FlowVotes;
  readonly #queue: AsyncQueue<QueuedEvent>;
  readonly #reader: AsyncIterator<QueuedEvent, undefined>;
  #isTaken = false;
  #isRead = false;
  #hasOverflowed = false;

  constructor(votes: FlowVotes) {
    this.#votes = votes;
    this.#queue = new AsyncQueue<QueuedEvent>({
      weigh: ({ bytes }) => bytes,
      highWaterBytes: HIGH_WATER_BYTES,
      lowWaterBytes: LOW_WATER_BYTES,
      onFlow: (paused) => this.#votes.vote(this, paused),
      onReturn: () => this.#votes.vote(this, false),
    });
    this.#reader = this.#queue[Symbol.asyncIterator]();
  }

  push(event: QwenEvent, bytes: number): void {
    if (this.#hasOverflowed) return;
    if (this.#isRead || this.#queue.weight + bytes <= HIGH_WATER_BYTES) {
      this.#queue.push({ event, bytes });
      return;
    }
    this.#hasOverflowed = true;
    // Settles synchronously: `onReturn` only votes.
    void this.#reader.return?.();
  }

  end(): void {
    this.#queue.end();
  }

  fail(error: AgentError): void {
    this.#queue.fail(error);
  }

  /** Throws `already_reading` the second time; `next` throws `overloaded` if events were dropped. */
  read(onReturn: () => void = () => undefined): QwenEventIterator {
    if (this.#isTaken) throw new AgentError('already_reading', 'These events already have a reader.');
    this.#isTaken = true;
    return {
      next: () => this.#next(),
      return: async () => {
        onReturn();
        await this.#reader.return?.();
        return { done: true, value: undefined };
      },
      [Symbol.asyncIterator]() {
        return this;
      },
    };
  }

  async #next(): Promise<IteratorResult<QwenEvent, undefined>> {
    if (this.#hasOverflowed && !this.#isRead) {
      this.#isRead = true;
      throw tooLate();
    }
    this.#isRead = true;
    const { done, value } = await this.#reader.next();
    return done === true ? { done: true, value: undefined } : { done: false, value: value.event };
  }
}

function tooLate(): AgentError {
  return new AgentError(
    'overloaded',
    'Events were dropped: more than 4 MiB arrived before the first read. Start reading earlier.',
  );
}
