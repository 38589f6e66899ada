import type { TurnRecord } from '../store/session-record.js';
import { settlesWithin } from './settles-within.js';
import type { TaskReply, TurnCommand, TurnDispatcher, TurnWorker } from './turn-dispatcher.js';

export interface LocalDispatcherOptions {
  readonly worker: TurnWorker;
  /** The end could not be written. Must not throw. */
  readonly onEndFailed: (turn: TurnRecord, thrown: unknown) => void;
}

export class LocalDispatcher implements TurnDispatcher {
  readonly #options: LocalDispatcherOptions;
  /** By session; settles when its last turn has ended. */
  readonly #chains = new Map<string, Promise<void>>();
  #isClosed = false;

  constructor(options: LocalDispatcherOptions) {
    this.#options = options;
  }

  async enqueue(turn: TurnRecord): Promise<void> {
    const { sessionId } = turn;
    const before = this.#chains.get(sessionId) ?? Promise.resolve();
    const chain = before.then(() => this.#run(turn));
    this.#chains.set(sessionId, chain);
    void chain.then(() => {
      if (this.#chains.get(sessionId) === chain) this.#chains.delete(sessionId);
    });
  }

  dispatch(sessionId: string, command: TurnCommand): Promise<boolean | TaskReply> {
    return this.#options.worker.handle(sessionId, command);
  }

  async close({ graceMs }: { readonly graceMs: number }): Promise<void> {
    this.#isClosed = true;
    const ended = Promise.all(this.#chains.values());
    if (!(await settlesWithin(ended, graceMs))) await this.#options.worker.stop();
    await ended;
  }

  async #run(turn: TurnRecord): Promise<void> {
    if (this.#isClosed) return;
    try {
      await this.#options.worker.run(turn);
    } catch (thrown) {
      this.#options.onEndFailed(turn, thrown);
    }
  }
}
