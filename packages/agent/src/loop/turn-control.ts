import type { InterruptSource } from '../events.js';

/** Who stopped a turn, and why. */
export interface InterruptCause {
  readonly by: InterruptSource | 'budget';
  /** For people and for the model. */
  readonly reason: string;
}

/**
 * The switch of one turn: a new one each turn, so that a late interrupt cannot hit the next one (HOUSE §4.11). That of
 * a subagent hangs on the switch of its turn: an cause is one of the whole turn, giving up is its own affair.
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

  /** Aborts when the turn is interrupted or fails. */
  get signal(): AbortSignal {
    return this.#signal;
  }

  /** The first cause; undefined when nobody stopped the turn. */
  get cause(): InterruptCause | undefined {
    return this.#parent === undefined ? this.#cause : this.#parent.cause;
  }

  /** Stops the turn. The first reason counts. */
  interrupt(cause: InterruptCause): void {
    if (this.#parent !== undefined) {
      this.#parent.interrupt(cause);
      return;
    }
    if (this.signal.aborted) return;
    this.#cause = cause;
    this.#controller.abort();
  }

  /** Stops what still runs when the turn, or this subagent, cannot go on by itself. */
  abandon(): void {
    this.#controller.abort();
  }
}
