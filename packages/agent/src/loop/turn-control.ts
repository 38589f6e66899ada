import type { InterruptSource } from '../events.js';

/** Who stopped a turn, and why. */
export interface Interruption {
  readonly by: InterruptSource;
  /** For people and for the model. */
  readonly reason: string;
}

/** The switch of one turn: a new one each turn, so that a late interrupt cannot hit the next one (HOUSE §4.11). */
export class TurnControl {
  readonly #controller = new AbortController();
  #interruption: Interruption | undefined;

  /** Aborts when the turn is interrupted or fails. */
  get signal(): AbortSignal {
    return this.#controller.signal;
  }

  /** The first interruption; undefined when nobody stopped the turn. */
  get interruption(): Interruption | undefined {
    return this.#interruption;
  }

  /** Stops the turn. The first reason counts. */
  interrupt(interruption: Interruption): void {
    if (this.signal.aborted) return;
    this.#interruption = interruption;
    this.#controller.abort();
  }

  /** Stops what still runs when the turn cannot go on by itself. */
  abandon(): void {
    this.#controller.abort();
  }
}
