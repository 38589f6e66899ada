import { createDeferred } from '@qwen/protocol';

/**
 * Leaving before the work is done: a signal came, or the reader or the parent is gone. One for each run; the modes wait
 * for their work through `bound`, so that whatever hangs cannot keep the program.
 */
export class Departure {
  readonly #begun = createDeferred<number>();
  #exitCode: number | undefined;

  /** Leaves with this exit code; only the first call counts. */
  begin(exitCode: number): void {
    this.#exitCode ??= exitCode;
    this.#begun.resolve(performance.now());
  }

  /** Undefined while nobody has asked to leave. */
  get exitCode(): number | undefined {
    return this.#exitCode;
  }

  /** Calls `listener` once, soon after leaving has begun. */
  onBegin(listener: () => void): void {
    void this.#begun.promise.then(listener);
  }

  /** Resolves with `work`, and `limitMs` after leaving has begun at the latest. `work` must not reject. */
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
