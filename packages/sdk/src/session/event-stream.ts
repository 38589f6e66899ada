import { AgentError, AsyncQueue } from '@qwen/protocol';
import type { QwenEvent } from '../terminal/events.js';

/** More unread bytes than this ask the CLI to pause. */
const HIGH_WATER_BYTES = 4 * 1024 * 1024;

/** So few unread bytes let it go on. */
const LOW_WATER_BYTES = 1024 * 1024;

interface QueuedEvent {
  readonly event: QwenEvent;
  readonly bytes: number;
}

/** Counts who is behind: the CLI pauses as long as anybody is. */
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

/**
 * Events between the reader of the pipe, which never waits, and an app, which may. Bounded by weight: whoever reads
 * slowly slows the CLI. What nobody reads must not stop it, so events without a reader are let go beyond the bound, and
 * a reader that comes too late is told.
 */
export class EventStream {
  readonly #votes: FlowVotes;
  readonly #queue: AsyncQueue<QueuedEvent>;
  readonly #reader: AsyncIterator<QueuedEvent, undefined>;
  #isTaken = false;
  #isRead = false;
  #isLost = false;

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
    if (this.#isLost) return;
    if (this.#isRead || this.#queue.weight + bytes <= HIGH_WATER_BYTES) {
      this.#queue.push({ event, bytes });
      return;
    }
    this.#isLost = true;
    // Settles within the call: the one thing it waits for is a vote.
    void this.#reader.return?.();
  }

  /** Ends after what is queued. */
  end(): void {
    this.#queue.end();
  }

  /** Fails after what is queued. */
  fail(error: AgentError): void {
    this.#queue.fail(error);
  }

  /**
   * The one reader. Leaving early lets the rest go and calls `onLeft`. Throws `already_reading` the second time; `next`
   * throws `overloaded` when it is first called too late.
   */
  read(onLeft: () => void = () => undefined): AsyncIterableIterator<QwenEvent, undefined> {
    if (this.#isTaken) throw new AgentError('already_reading', 'These events already have a reader.');
    this.#isTaken = true;
    return {
      next: () => this.#next(),
      return: async () => {
        onLeft();
        await this.#reader.return?.();
        return { done: true, value: undefined };
      },
      [Symbol.asyncIterator]() {
        return this;
      },
    };
  }

  async #next(): Promise<IteratorResult<QwenEvent, undefined>> {
    if (this.#isLost && !this.#isRead) {
      this.#isRead = true;
      throw tooLate();
    }
    this.#isRead = true;
    const { done, value } = await this.#reader.next();
    return done === true ? { done: true, value: undefined } : { done: false, value: value.event };
  }
}

function tooLate(): AgentError {
  return new AgentError('overloaded', 'More events than are kept came before anybody read them; they were let go.');
}
