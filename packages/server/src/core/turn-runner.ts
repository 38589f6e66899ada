import type { TurnRecord } from '../store/session-record.js';
import { LiveTurn, type LiveTurnOptions } from './live-turn.js';
import type { SharedWorker, TurnPlaces, TurnWord } from './turn-dispatcher.js';

export type TurnRunnerOptions = Omit<
  LiveTurnOptions,
  'turn' | 'session' | 'lost' | 'onConversation' | 'saveConversation'
>;

/** Plays turns with agents of this process. */
export class TurnRunner implements SharedWorker {
  readonly #options: TurnRunnerOptions;
  /** By session: a session has one turn at a time. */
  readonly #live = new Map<string, Running>();

  constructor(options: TurnRunnerOptions) {
    this.#options = options;
  }

  async run(turn: TurnRecord, places?: TurnPlaces): Promise<void> {
    const session = await this.#options.store.get(turn.sessionId);
    const live = new LiveTurn({ ...this.#options, ...places, turn, session });
    const ended = live.play();
    // Known before it starts, so that it can be cancelled from the first moment on.
    this.#live.set(turn.sessionId, { turnId: turn.id, live, ended });
    try {
      await ended;
    } finally {
      this.#live.delete(turn.sessionId);
    }
  }

  async hear(sessionId: string, word: TurnWord): Promise<boolean> {
    const running = this.#live.get(sessionId);
    switch (word.kind) {
      case 'cancel':
        if (running?.turnId !== word.turnId) return false;
        running.live.stop('cancelled');
        return true;
      case 'approve':
        if (running === undefined || (word.turnId !== undefined && word.turnId !== running.turnId)) return false;
        return running.live.desk.answer(word, word.verdict);
      case 'leave':
        running?.live.stop('cancelled');
        // That its end could not be written is for the one who waits for the turn.
        await running?.ended.catch(() => undefined);
        await this.#options.agents.drop(sessionId, { graceMs: 1000 });
        return true;
    }
  }

  isAwake(sessionId: string): boolean {
    return this.#options.agents.isAwake(sessionId);
  }

  async sleep(sessionId: string): Promise<void> {
    await this.#options.agents.drop(sessionId);
  }

  async abandon(sessionId: string): Promise<void> {
    const running = this.#live.get(sessionId);
    await this.#options.agents.drop(sessionId, { graceMs: 0 });
    await running?.ended.catch(() => undefined);
  }

  async stop(): Promise<void> {
    const running = [...this.#live.values()];
    for (const { live } of running) live.stop('server_shutdown');
    await Promise.allSettled(running.map(({ ended }) => ended));
  }
}

interface Running {
  readonly turnId: string;
  readonly live: LiveTurn;
  readonly ended: Promise<void>;
}
