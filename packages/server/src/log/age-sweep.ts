const HOUR_MS = 60 * 60_000;

/** A quarter of the maximum age, between a second and an hour. */
export function sweepIntervalMs(maxAgeMs: number): number {
  return Math.min(Math.max(maxAgeMs / 4, 1000), HOUR_MS);
}

/** Runs `sweep` periodically, never twice at once. The owner closes it. */
export class AgeSweep {
  readonly #timer: NodeJS.Timeout;
  #round: Promise<void> | undefined;

  /** `sweep` must not reject. */
  constructor(everyMs: number, sweep: () => Promise<void>) {
    this.#timer = setInterval(() => {
      this.#round ??= sweep().finally(() => {
        this.#round = undefined;
      });
    }, everyMs).unref();
  }

  async close(): Promise<void> {
    clearInterval(this.#timer);
    await this.#round;
  }
}
