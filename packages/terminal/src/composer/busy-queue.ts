/** Runs steps in order. While one is asynchronous, later ones wait, so that keys take effect in the order pressed. */
export class BusyQueue {
  readonly #onChange: () => void;
  readonly #waiting: (() => void)[] = [];
  #work: AbortController | undefined;

  constructor(onChange: () => void) {
    this.#onChange = onChange;
  }

  get isBusy(): boolean {
    return this.#work !== undefined;
  }

  run(step: () => void): void {
    if (this.isBusy) this.#waiting.push(step);
    else step();
  }

  /** Call within a step: later steps wait until `work` ends or is aborted. `work` must not reject. */
  during(work: (signal: AbortSignal) => Promise<void>): void {
    const controller = new AbortController();
    this.#work = controller;
    const givenUp = new Promise<void>((resolve) => {
      controller.signal.addEventListener('abort', () => resolve(), { once: true });
    });
    void Promise.race([work(controller.signal), givenUp]).then(() => {
      this.#work = undefined;
      while (!this.isBusy && this.#waiting.length > 0) this.#waiting.shift()?.();
      this.#onChange();
    });
  }

  /** Aborts the current work and continues with the queue. False when idle. */
  abort(): boolean {
    this.#work?.abort();
    return this.isBusy;
  }
}
