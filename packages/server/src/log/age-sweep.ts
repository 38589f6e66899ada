const HOUR_MS = 60 * 60_000;

/** When sessions are gone through for events that are too old: the fourth part of that age, a second to an hour. */
export function sweepIntervalMs(maxAgeMs: number): number {
  return Math.min(Math.max(maxAgeMs / 4, 1000), HOUR_MS);
}

/** Does a round of work now and then, never two at once. It keeps no process alive. Whoever starts it closes it. */
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

  /** Resolves when the round that runs has ended. */
  async close(): Promise<void> {
    clearInterval(this.#timer);
    await this.#round;
  }
}
