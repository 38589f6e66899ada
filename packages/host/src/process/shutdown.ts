/**
 * Leaving early: after a signal, or when the reader or parent is gone. One per run. Modes wait for their work
 * through `bound`, so hanging work cannot keep the process alive.
 */
export class Shutdown {
  readonly #begun = Promise.withResolvers<number>();
  #exitCode: number | undefined;

  begin(exitCode: number): void {
    this.#exitCode ??= exitCode;
    this.#begun.resolve(performance.now());
  }

  get exitCode(): number | undefined {
    return this.#exitCode;
  }

  /** Calls `listener` once, soon after leaving began. */
  onBegin(listener: () => void): void {
    void this.#begun.promise.then(listener);
  }

  /** Resolves with `work`, or `limitMs` after leaving began. `work` must not reject. */
  async bound(work: Promise<unknown>, limitMs: number): Promise<void> {
    let timer: NodeJS.Timeout | undefined;
    let isOver = false;
    const expired = this.#begun.promise.then(
      (begunAtMs) =>
        new Promise<void>((resolve) => {
          if (!isOver) timer = setTimeout(resolve, begunAtMs + limitMs - performance.now());
        }),
    );
    await Promise.race([work, expired]);
    isOver = true;
    clearTimeout(timer);
  }
}
