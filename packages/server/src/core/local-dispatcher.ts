import { setTimeout as delay } from 'node:timers/promises';
import type { TurnRecord } from '../store/session-record.js';
import type { TurnDispatcher, TurnWord, TurnWorker } from './turn-dispatcher.js';

export interface LocalDispatcherOptions {
  readonly worker: TurnWorker;
  /** Called with a turn whose end could not be written. Must not throw. */
  readonly onLost: (turn: TurnRecord, thrown: unknown) => void;
}

/** Turns for the one worker of this process. What waits stands in the store, so nothing is lost with the process. */
export class LocalDispatcher implements TurnDispatcher {
  readonly #options: LocalDispatcherOptions;
  /** By session: settles when its last turn so far has ended. */
  readonly #chains = new Map<string, Promise<void>>();
  #isClosed = false;

  constructor(options: LocalDispatcherOptions) {
    this.#options = options;
  }

  async enqueue(turn: TurnRecord): Promise<void> {
    const { sessionId } = turn;
    const before = this.#chains.get(sessionId) ?? Promise.resolve();
    const chain = before.then(() => this.#play(turn));
    this.#chains.set(sessionId, chain);
    void chain.then(() => {
      if (this.#chains.get(sessionId) === chain) this.#chains.delete(sessionId);
    });
  }

  tell(sessionId: string, word: TurnWord): Promise<boolean> {
    return this.#options.worker.hear(sessionId, word);
  }

  async close({ graceMs }: { readonly graceMs: number }): Promise<void> {
    this.#isClosed = true;
    const ended = Promise.all(this.#chains.values());
    const timer = new AbortController();
    const graceIsOver = delay(graceMs, 'late', { signal: timer.signal }).catch(() => undefined);
    const first = await Promise.race([ended, graceIsOver]);
    timer.abort();
    if (first === 'late') await this.#options.worker.stop();
    await ended;
  }

  async #play(turn: TurnRecord): Promise<void> {
    if (this.#isClosed) return;
    try {
      await this.#options.worker.run(turn);
    } catch (thrown) {
      this.#options.onLost(turn, thrown);
    }
  }
}
