/** Progress extends a call to at most this many times its limit. */
const MAX_EXTENSION = 10;
/** The longest delay of a timer. */
export const LONGEST_MS = 2 ** 31 - 1;

/** The only deadline of a call. Paused while the server asks the user. */
export class CallClock {
  readonly #limitMs: number;
  readonly #onLate: () => void;
  /** For the whole call. */
  #leftMs: number;
  #startedAt = 0;
  #timer: NodeJS.Timeout | undefined;

  /** Starts at once. Calls `onLate` at most once. */
  constructor(limitMs: number, onLate: () => void) {
    this.#limitMs = limitMs;
    this.#leftMs = Math.min(limitMs * MAX_EXTENSION, LONGEST_MS);
    this.#onLate = onLate;
    this.resume();
  }

  /** No effect while paused. */
  restart(): void {
    if (this.#timer === undefined) return;
    this.pause();
    this.resume();
  }

  resume(): void {
    this.#startedAt = performance.now();
    this.#timer ??= setTimeout(this.#onLate, Math.min(this.#limitMs, this.#leftMs));
  }

  pause(): void {
    if (this.#timer === undefined) return;
    clearTimeout(this.#timer);
    this.#timer = undefined;
    this.#leftMs = Math.max(0, this.#leftMs - (performance.now() - this.#startedAt));
  }
}

/** The clocks of one connection. */
export class CallClocks {
  readonly #running = new Set<CallClock>();
  #questions = 0;

  /** Call `stop` when the call is over. */
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

  /** Pauses all clocks until `question` settles. */
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
