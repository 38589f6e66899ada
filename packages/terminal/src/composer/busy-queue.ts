/**
 * Steps in their order, where some take a while: what comes meanwhile waits behind them, so that keys have their effect in
 * the order in which they were pressed.
 */
export class BusyQueue {
  readonly #onChange: () => void;
  readonly #waiting: (() => void)[] = [];
  #work: AbortController | undefined;

  /** `onChange` is called when a step that took a while is over. */
  constructor(onChange: () => void) {
    this.#onChange = onChange;
  }

  get isBusy(): boolean {
    return this.#work !== undefined;
  }

  /** Runs a step now, or behind what is being done. */
  run(step: () => void): void {
    if (this.isBusy) this.#waiting.push(step);
    else step();
  }

  /** To be called from within a step: nothing else happens until the work is done or given up. It must not reject. */
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

  /** Gives up what is being done; what waits goes on. False when nothing is. */
  abort(): boolean {
    this.#work?.abort();
    return this.isBusy;
  }
}
