import type { InterruptSource } from '@qwen/agent';

/** Who stops a turn, and what is said of it. */
export interface Interruption {
  readonly by: InterruptSource;
  readonly reason: string;
}

/** Keeps the turns that have no answer yet, in their order, and knows which turn an interrupt means. */
export class PendingTurns {
  readonly #unanswered: string[] = [];
  /** A prompt came to an idle agent and its turn has not begun: an interrupt means that turn. */
  #isStarting = false;
  /** For the turn that has not begun. */
  #early: Interruption | undefined;
  #wasInterrupted = false;

  /** Whether every prompt so far is answered. */
  get isIdle(): boolean {
    return this.#unanswered.length === 0;
  }

  /** Whether the turn that runs, or that ran last, was interrupted. */
  get isInterrupted(): boolean {
    return this.#wasInterrupted;
  }

  resetInterrupt(): void {
    this.#wasInterrupted = false;
  }

  /** Ids of the turns that have no answer yet. */
  get unanswered(): readonly string[] {
    return [...this.#unanswered];
  }

  /** A prompt came. */
  add(turnId: string): void {
    this.#isStarting ||= this.isIdle;
    this.#unanswered.push(turnId);
  }

  /** `stopRunning` stops the turn that runs and says whether there was one. False when there is nothing to stop. */
  interrupt(interruption: Interruption, stopRunning: (interruption: Interruption) => boolean): boolean {
    const wasRunning = stopRunning(interruption);
    if (!wasRunning && !this.#isStarting) return false;
    if (!wasRunning) this.#early = interruption;
    this.#wasInterrupted = true;
    return true;
  }

  /** A turn begins. Gives the interrupt that came before it. */
  begin(): Interruption | undefined {
    const early = this.#early;
    this.#early = undefined;
    this.#isStarting = false;
    this.#wasInterrupted = early !== undefined;
    return early;
  }

  /** The first of the turns ended. */
  end(): void {
    this.#unanswered.shift();
  }
}
