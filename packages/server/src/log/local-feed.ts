import type { StoreListener } from './event-store.js';

/** For stores of a single process. */
export class LocalFeed {
  readonly #listeners = new Map<string, Set<StoreListener>>();

  watch(sessionId: string, listener: StoreListener): () => void {
    const listeners = this.#listeners.get(sessionId) ?? new Set();
    listeners.add(listener);
    this.#listeners.set(sessionId, listeners);
    return () => {
      listeners.delete(listener);
      if (listeners.size === 0 && this.#listeners.get(sessionId) === listeners) this.#listeners.delete(sessionId);
    };
  }

  emit(sessionId: string, notify: (listener: StoreListener) => void): void {
    for (const listener of this.#listeners.get(sessionId) ?? []) notify(listener);
  }

  hasListeners(sessionId: string): boolean {
    return this.#listeners.has(sessionId);
  }
}
