import type { Retention } from './event-store.js';
import { eventBytes, type NewEvent } from './logged-event.js';

/** Evicting each event would cost more than it frees. */
const SLACK_SHARE = 0.1;

export class EvictionCounter {
  readonly #maxEvents: number;
  readonly #maxBytes: number;
  readonly #added = new Map<string, { events: number; bytes: number }>();

  constructor({ maxEvents = Infinity, maxBytes = Infinity }: Retention) {
    this.#maxEvents = maxEvents * SLACK_SHARE;
    this.#maxBytes = maxBytes * SLACK_SHARE;
  }

  /** True if the session is due. */
  added(sessionId: string, events: readonly NewEvent[]): boolean {
    if (this.#maxEvents === Infinity && this.#maxBytes === Infinity) return false;
    const count = this.#added.get(sessionId) ?? { events: 0, bytes: 0 };
    count.events += events.length;
    count.bytes += events.reduce((sum, event) => sum + eventBytes(event), 0);
    const isDue = count.events >= this.#maxEvents || count.bytes >= this.#maxBytes;
    if (isDue) this.#added.delete(sessionId);
    else this.#added.set(sessionId, count);
    return isDue;
  }

  forget(sessionId: string): void {
    this.#added.delete(sessionId);
  }
}
