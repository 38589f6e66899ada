import type { TerminalStore } from '../state/terminal-store.js';

/** A line that goes by itself. One at a time: a new one takes the place of the last. Whoever makes it closes it. */
export class PassingHint {
  readonly #store: TerminalStore;
  #timer: NodeJS.Timeout | undefined;

  constructor(store: TerminalStore) {
    this.#store = store;
  }

  /** Whether this very line is shown now. */
  shows(hint: string): boolean {
    return this.#store.getState().hint === hint;
  }

  show(hint: string, forMs: number): void {
    clearTimeout(this.#timer);
    this.#store.update((state) => ({ ...state, hint }));
    this.#timer = setTimeout(() => this.close(), forMs);
  }

  /** Takes it away now. */
  close(): void {
    clearTimeout(this.#timer);
    this.#store.update(({ hint: _shown, ...state }) => state);
  }
}
