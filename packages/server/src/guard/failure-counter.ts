export interface FailureLimit {
  readonly most: number;
  readonly windowMs: number;
  /** A monotonic clock. */
  readonly nowMs: () => number;
}

export class FailureCounter {
  readonly #limit: FailureLimit;
  #windowEndsMs = 0;
  #count = 0;

  constructor(limit: FailureLimit) {
    this.#limit = limit;
  }

  isTooMany(): boolean {
    const { most, windowMs, nowMs } = this.#limit;
    if (nowMs() >= this.#windowEndsMs) {
      this.#windowEndsMs = nowMs() + windowMs;
      this.#count = 0;
    }
    this.#count += 1;
    return this.#count > most;
  }
}
