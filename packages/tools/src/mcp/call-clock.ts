/** Progress keeps a call alive for this many times its limit and no longer (F106). */
const MOST_LIMITS = 10;
/** What a timer can count; the client library knows no "for ever". */
export const LONGEST_MS = 2 ** 31 - 1;

/** The only clock of a call (FB14). It stands still while the server waits for a person. */
export class CallClock {
  readonly #limitMs: number;
  readonly #onLate: () => void;
  /** Of all that the call may take. */
  #leftMs: number;
  #startedAt = 0;
  #timer: NodeJS.Timeout | undefined;

  /** Runs at once. `onLate` is called once at most. */
  constructor(limitMs: number, onLate: () => void) {
    this.#limitMs = limitMs;
    this.#leftMs = Math.min(limitMs * MOST_LIMITS, LONGEST_MS);
    this.#onLate = onLate;
    this.resume();
  }

  /** Starts the limit anew; no effect while the clock stands still. */
  restart(): void {
    if (this.#timer === undefined) return;
    this.pause();
    this.resume();
  }

  /** Starts the limit anew, also of a clock that stood still. */
  resume(): void {
    this.#startedAt = Date.now();
    this.#timer ??= setTimeout(this.#onLate, Math.min(this.#limitMs, this.#leftMs));
  }

  /** Stops the clock, for a while or for ever. Idempotent. */
  pause(): void {
    if (this.#timer === undefined) return;
    clearTimeout(this.#timer);
    this.#timer = undefined;
    this.#leftMs = Math.max(0, this.#leftMs - (Date.now() - this.#startedAt));
  }
}

/** The clocks of the calls that run on one connection. */
export class CallClocks {
  readonly #running = new Set<CallClock>();
  #questions = 0;

  /** A clock for one call; `stop` it when the call is over. */
  start(limitMs: number, onLate: () => void): CallClock {
    const clock = new CallClock(limitMs, onLate);
    if (this.#questions > 0) clock.pause();
    this.#running.add(clock);
    return clock;
  }

  stop(clock: CallClock): void {
    clock.pause();
    this.#running.delete(clock);
  }

  /** No time passes until `question` is settled: a person who thinks is no slow server. */
  async during<T>(question: Promise<T>): Promise<T> {
    this.#questions += 1;
    for (const clock of this.#running) clock.pause();
    try {
      return await question;
    } finally {
      this.#questions -= 1;
      if (this.#questions === 0) for (const clock of this.#running) clock.resume();
    }
  }
}
