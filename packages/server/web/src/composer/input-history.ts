/** Walks through earlier messages, newest first, and back to what was typed. */
export class InputHistory {
  /** 0: not in the history; 1: the newest message. */
  #place = 0;
  #typed = '';

  /** Undefined at the end. */
  older(messages: readonly string[], text: string): string | undefined {
    const found = messages[messages.length - this.#place - 1];
    if (found === undefined) return undefined;
    if (this.#place === 0) this.#typed = text;
    this.#place += 1;
    return found;
  }

  /** Undefined outside the history. */
  newer(messages: readonly string[]): string | undefined {
    if (this.#place === 0) return undefined;
    this.#place -= 1;
    return this.#place === 0 ? this.#typed : messages[messages.length - this.#place];
  }

  /** The user has edited or sent the text. */
  leave(): void {
    this.#place = 0;
  }
}
