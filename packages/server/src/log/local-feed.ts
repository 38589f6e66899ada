import type { StoreListener } from './event-store.js';

/** The watchers of a store that only this process writes. */
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

  tell(sessionId: string, say: (listener: StoreListener) => void): void {
    for (const listener of this.#listeners.get(sessionId) ?? []) say(listener);
  }

  /** Whether anybody would hear; spares the making of what nobody wants. */
  hasListeners(sessionId: string): boolean {
    return this.#listeners.has(sessionId);
  }
}
