import type { TurnRecord } from '../store/session-record.js';
import { type EndingPlaces, tellEnds, unlessDeleted } from './end-turn.js';
import type { TurnCloser } from './turn-closer.js';

const FIRST_RETRY_MS = 1000;
const LAST_RETRY_MS = 60_000;

/**
 * Turns whose end could not be written, such as on a full disk: their sessions would be busy for ever. Tries again, less
 * and less often, until it can be written or the server ends; then the next start finds them.
 */
export class LostTurns {
  readonly #places: EndingPlaces;
  readonly #closer: TurnCloser;
  readonly #timers = new Set<NodeJS.Timeout>();
  #isClosed = false;

  constructor(places: EndingPlaces, closer: TurnCloser) {
    this.#places = places;
    this.#closer = closer;
  }

  add(turn: TurnRecord): void {
    this.#tryAfter(FIRST_RETRY_MS, turn);
  }

  close(): void {
    this.#isClosed = true;
    for (const timer of this.#timers) clearTimeout(timer);
    this.#timers.clear();
  }

  #tryAfter(delayMs: number, turn: TurnRecord): void {
    const timer = setTimeout(() => {
      this.#timers.delete(timer);
      this.#try(turn).catch(() => {
        if (!this.#isClosed) this.#tryAfter(Math.min(delayMs * 2, LAST_RETRY_MS), turn);
      });
    }, delayMs).unref();
    this.#timers.add(timer);
  }

  async #try(turn: TurnRecord): Promise<void> {
    await tellEnds(this.#places);
    await unlessDeleted(() => this.#closer.close(turn, { outcome: 'interrupted', reason: 'server_fault' }));
  }
}
