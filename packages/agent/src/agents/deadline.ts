import type { TurnControl } from '../loop/turn-control.js';

/** Timers of JavaScript hold no more; a longer time has no end that anybody would see. */
const LONGEST_TIMER_MS = 2_147_483_647;

/** Stops a subagent when its time is up. Whoever made it disposes it. */
export class Deadline implements Disposable {
  readonly #timer: ReturnType<typeof setTimeout> | undefined;
  #isOver = false;

  /** Without minutes there is no end. */
  constructor(minutes: number | undefined, control: TurnControl) {
    const limitMs = (minutes ?? Number.POSITIVE_INFINITY) * 60_000;
    if (limitMs > LONGEST_TIMER_MS) return;
    this.#timer = setTimeout(() => {
      this.#isOver = true;
      control.abandon();
    }, limitMs);
  }

  get isOver(): boolean {
    return this.#isOver;
  }

  [Symbol.dispose](): void {
    clearTimeout(this.#timer);
  }
}
