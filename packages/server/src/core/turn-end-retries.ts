import type { TurnRecord } from '../store/session-record.js';
import { flushOutbox, type TurnEndStores, unlessDeleted } from './end-turn.js';
import type { TurnCloser } from './turn-closer.js';

const FIRST_RETRY_MS = 1000;
const LAST_RETRY_MS = 60_000;

/** Retries to end turns whose end could not be written, such as on a full disk. The next start finds the rest. */
export class TurnEndRetries {
  readonly #stores: TurnEndStores;
  readonly #closer: TurnCloser;
  readonly #timers = new Set<NodeJS.Timeout>();
  #isClosed = false;

  constructor(stores: TurnEndStores, closer: TurnCloser) {
    this.#stores = stores;
    this.#closer = closer;
  }

  add(turn: TurnRecord): void {
    this.#retryAfter(FIRST_RETRY_MS, turn);
  }

  close(): void {
    this.#isClosed = true;
    for (const timer of this.#timers) clearTimeout(timer);
    this.#timers.clear();
  }

  #retryAfter(delayMs: number, turn: TurnRecord): void {
    const timer = setTimeout(() => {
      this.#timers.delete(timer);
      this.#retry(turn).catch(() => {
        if (!this.#isClosed) this.#retryAfter(Math.min(delayMs * 2, LAST_RETRY_MS), turn);
      });
    }, delayMs).unref();
    this.#timers.add(timer);
  }

  async #retry(turn: TurnRecord): Promise<void> {
    await flushOutbox(this.#stores);
    await unlessDeleted(() => this.#closer.close(turn, { outcome: 'interrupted', reason: 'server_fault' }));
  }
}
