/** A server that keeps ending is started this often within the window (F47). */
const MOST_STARTS = 4;
const WINDOW_MS = 60_000;
const FIRST_DELAY_MS = 250;

/** How often a server may be started, and how long to wait before the next time. */
export class RestartBudget {
  #startedAt: number[] = [];

  /** Whether it may be started now; if so, that start is counted. */
  take(): boolean {
    const now = Date.now();
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
