/** A server that keeps ending is started this often within the window (F47). */
const MOST_STARTS = 4;
const WINDOW_MS = 60_000;
const FIRST_DELAY_MS = 250;

export interface RestartBudgetOptions {
  /** A clock that no correction of the time of day moves (F55). Default: that of the machine. */
  readonly nowMs?: () => number;
}

/** How often a server may be started, and how long to wait before the next time. */
export class RestartBudget {
  readonly #nowMs: () => number;
  #startedAt: number[] = [];

  constructor({ nowMs = () => Number(process.hrtime.bigint()) / 1_000_000 }: RestartBudgetOptions = {}) {
    this.#nowMs = nowMs;
  }

  /** Whether it may be started now; if so, that start is counted. */
  take(): boolean {
    const now = this.#nowMs();
    this.#startedAt = this.#startedAt.filter((at) => now - at < WINDOW_MS);
    if (this.#startedAt.length >= MOST_STARTS) return false;
    this.#startedAt.push(now);
    return true;
  }

  /** Doubles with each start of the window. */
  get delayMs(): number {
    return FIRST_DELAY_MS * 2 ** this.#startedAt.length;
  }
}
