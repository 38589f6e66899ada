/** Aborts its signal after `silentMs` without {@link restart}. */
export class SilenceWatch implements Disposable {
  readonly #abort = new AbortController();
  readonly #outer: AbortSignal | undefined;
  readonly #timer: NodeJS.Timeout;

  constructor(silentMs: number, outer?: AbortSignal) {
    this.#outer = outer;
    this.#timer = setTimeout(this.#giveUp, silentMs);
    outer?.addEventListener('abort', this.#giveUp, { once: true });
    if (outer?.aborted === true) this.#giveUp();
  }

  get signal(): AbortSignal {
    return this.#abort.signal;
  }

  restart(): void {
    this.#timer.refresh();
  }

  [Symbol.dispose](): void {
    clearTimeout(this.#timer);
    this.#outer?.removeEventListener('abort', this.#giveUp);
  }

  readonly #giveUp = (): void => this.#abort.abort();
}
