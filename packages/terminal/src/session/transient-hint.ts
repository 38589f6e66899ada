import type { TerminalStore } from '../state/terminal-store.js';

/** A temporary line; a new one replaces it. The creator closes it. */
export class TransientHint {
  readonly #store: TerminalStore;
  #timer: NodeJS.Timeout | undefined;

  constructor(store: TerminalStore) {
    this.#store = store;
  }

  shows(hint: string): boolean {
    return this.#store.getState().hint === hint;
  }

  show(hint: string, forMs: number): void {
    clearTimeout(this.#timer);
    this.#store.update((state) => ({ ...state, hint }));
    this.#timer = setTimeout(() => this.close(), forMs);
  }

  close(): void {
    clearTimeout(this.#timer);
    this.#store.update(({ hint: _shown, ...state }) => state);
  }
}
