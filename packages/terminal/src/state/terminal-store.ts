import type { TerminalState } from './terminal-state.js';

/** For `useSyncExternalStore`. Listeners must not throw. */
export class TerminalStore {
  readonly #listeners = new Set<() => void>();
  #state: TerminalState;

  constructor(state: TerminalState) {
    this.#state = state;
  }

  readonly getState = (): TerminalState => this.#state;

  readonly subscribe = (listener: () => void): (() => void) => {
    this.#listeners.add(listener);
    return () => this.#listeners.delete(listener);
  };

  /** Listeners are not called when the object is unchanged. */
  update(change: (state: TerminalState) => TerminalState): void {
    const next = change(this.#state);
    if (next === this.#state) return;
    this.#state = next;
    for (const listener of this.#listeners) listener();
  }
}
