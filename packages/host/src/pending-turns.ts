import type { InterruptSource } from '@qwen/agent';

export interface Interruption {
  readonly by: InterruptSource;
  readonly reason: string;
}

/** Tracks unanswered turns in order and decides which turn an interrupt targets. */
export class PendingTurns {
  readonly #unanswered: string[] = [];
  /** A prompt reached an idle agent and its turn has not started: an interrupt targets that turn. */
  #isStarting = false;
  #early: Interruption | undefined;
  #wasInterrupted = false;

  get isIdle(): boolean {
    return this.#unanswered.length === 0;
  }

  get isInterrupted(): boolean {
    return this.#wasInterrupted;
  }

  resetInterrupt(): void {
    this.#wasInterrupted = false;
  }

  get unanswered(): readonly string[] {
    return [...this.#unanswered];
  }

  add(turnId: string): void {
    this.#isStarting ||= this.isIdle;
    this.#unanswered.push(turnId);
  }

  /**
   * `stopRunning` stops the running turn and returns whether there was one. Returns false when there is nothing to
   * stop.
   */
  interrupt(interruption: Interruption, stopRunning: (interruption: Interruption) => boolean): boolean {
    const wasRunning = stopRunning(interruption);
    if (!wasRunning && !this.#isStarting) return false;
    if (!wasRunning) this.#early = interruption;
    this.#wasInterrupted = true;
    return true;
  }

  /** Starts a turn. Returns the interrupt that arrived before it. */
  begin(turnId: string): Interruption | undefined {
    // A prompt with priority overtakes others.
    const at = this.#unanswered.indexOf(turnId);
    if (at > 0) this.#unanswered.unshift(...this.#unanswered.splice(at, 1));
    const early = this.#early;
    this.#early = undefined;
    this.#isStarting = false;
    this.#wasInterrupted = early !== undefined;
    return early;
  }

  /** Also call it for a prompt without a turn: it was withdrawn, or a running turn took it. */
  end(turnId: string): void {
    const at = this.#unanswered.indexOf(turnId);
    if (at >= 0) this.#unanswered.splice(at, 1);
    if (!this.isIdle) return;
    this.#isStarting = false;
    this.#early = undefined;
  }
}
