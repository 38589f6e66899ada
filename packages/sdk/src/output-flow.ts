/** How {@link OutputFlow} reaches the CLI. */
export type AskForFlow = (paused: boolean) => void;

/**
 * Keeps the CLI's idea of "paused" the same as ours, once it can be told. Reading itself never pauses: control lines
 * share the pipe with messages (HOUSE §4.21).
 */
export class OutputFlow {
  #ask: AskForFlow | undefined;
  #wanted = false;
  #told = false;

  /** Pauses or resumes. */
  set(paused: boolean): void {
    this.#wanted = paused;
    this.#tell();
  }

  /** From now on the CLI takes `set_output_flow`. */
  enable(ask: AskForFlow): void {
    this.#ask = ask;
    this.#tell();
  }

  #tell(): void {
    if (this.#ask === undefined || this.#told === this.#wanted) return;
    this.#told = this.#wanted;
    this.#ask(this.#wanted);
  }
}
