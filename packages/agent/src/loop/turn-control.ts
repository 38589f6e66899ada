import type { InterruptSource } from '../events.js';

export interface InterruptCause {
  readonly by: InterruptSource | 'budget';
  readonly reason: string;
}

/**
 * Stops one turn; each turn has its own, so that a late interrupt cannot hit the next one. A subagent forwards
 * interrupts to its turn but can be abandoned alone.
 */
export class TurnControl {
  readonly #controller = new AbortController();
  readonly #parent: TurnControl | undefined;
  readonly #signal: AbortSignal;
  #cause: InterruptCause | undefined;

  constructor(parent?: TurnControl) {
    this.#parent = parent;
    const own = this.#controller.signal;
    this.#signal = parent === undefined ? own : AbortSignal.any([parent.signal, own]);
  }

  /** Aborts on an interrupt and a failure. */
  get signal(): AbortSignal {
    return this.#signal;
  }

  get cause(): InterruptCause | undefined {
    return this.#parent === undefined ? this.#cause : this.#parent.cause;
  }

  interrupt(cause: InterruptCause): void {
    if (this.#parent !== undefined) {
      this.#parent.interrupt(cause);
      return;
    }
    if (this.signal.aborted) return;
    this.#cause = cause;
    this.#controller.abort();
  }

  abandon(): void {
    this.#controller.abort();
  }
}
