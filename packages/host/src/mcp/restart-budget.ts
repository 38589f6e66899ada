import { nowMs as machineNowMs } from '@qwen/agent/node';

const MOST_STARTS = 4;
const WINDOW_MS = 60_000;
const FIRST_DELAY_MS = 250;

export interface RestartBudgetOptions {
  /** Monotonic. Default: the machine's. */
  readonly nowMs?: () => number;
}

/** Limits restarts and sets the delay before the next one. */
export class RestartBudget {
  readonly #nowMs: () => number;
  #startedAt: number[] = [];

  constructor({ nowMs = machineNowMs }: RestartBudgetOptions = {}) {
    this.#nowMs = nowMs;
  }

  /** Whether a start is allowed; counts it. */
  take(): boolean {
    const now = this.#nowMs();
    this.#startedAt = this.#startedAt.filter((at) => now - at < WINDOW_MS);
    if (this.#startedAt.length >= MOST_STARTS) return false;
    this.#startedAt.push(now);
    return true;
  }

  /** Doubles with each start in the window. */
  get delayMs(): number {
    return FIRST_DELAY_MS * 2 ** this.#startedAt.length;
  }
}
