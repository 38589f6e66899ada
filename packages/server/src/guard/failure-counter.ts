export interface FailureLimit {
  readonly most: number;
  readonly windowMs: number;
  /** Milliseconds of a clock that never goes back. */
  readonly nowMs: () => number;
}

/** Counts failures in windows of time. */
export class FailureCounter {
  readonly #limit: FailureLimit;
  #windowEndsMs = 0;
  #count = 0;

  constructor(limit: FailureLimit) {
    this.#limit = limit;
  }

  /** Counts one more; true when the window has had its share. */
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
