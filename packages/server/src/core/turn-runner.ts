import type { TurnRecord } from '../store/session-record.js';
import { LiveTurn, type LiveTurnOptions } from './live-turn.js';
import { Steering } from './steering.js';
import type { SharedWorker, TaskReply, TurnCommand, TurnContext } from './turn-dispatcher.js';

export type TurnRunnerOptions = Omit<
  LiveTurnOptions,
  'turn' | 'session' | 'steering' | Exclude<keyof TurnContext, 'store' | 'log'>
>;

interface Running {
  readonly turnId: string;
  readonly live: LiveTurn;
  readonly ended: Promise<void>;
}

export class TurnRunner implements SharedWorker {
  readonly #options: TurnRunnerOptions;
  readonly #running = new Map<string, Running>();
  readonly #steering = new Map<string, Steering>();

  constructor(options: TurnRunnerOptions) {
    this.#options = options;
  }

  async run(turn: TurnRecord, context?: TurnContext): Promise<void> {
    const session = await this.#options.store.get(turn.sessionId);
    const steering = this.#steeringOf(turn.sessionId);
    steering.remove(turn.id);
    const live = new LiveTurn({ ...this.#options, ...context, turn, session, steering });
    const ended = live.run();
    // At once, so that it can be cancelled before its agent is up.
    this.#running.set(turn.sessionId, { turnId: turn.id, live, ended });
    try {
      await ended;
    } finally {
      this.#running.delete(turn.sessionId);
      if (steering.isEmpty) this.#steering.delete(turn.sessionId);
    }
  }

  async handle(sessionId: string, command: TurnCommand): Promise<boolean | TaskReply> {
    const running = this.#running.get(sessionId);
    switch (command.kind) {
      case 'cancel':
        if (running?.turnId !== command.turnId) {
          this.#steering.get(sessionId)?.remove(command.turnId);
          return false;
        }
        running.live.stop('cancelled');
        return true;
      case 'steer':
        if (running?.turnId === command.turnId) return false;
        this.#steeringOf(sessionId).add(command.turnId, command.priority);
        return true;
      case 'approve':
        if (running === undefined || (command.turnId !== undefined && command.turnId !== running.turnId)) return false;
        return running.live.approvals.answer(command, command.verdict);
      case 'leave':
        running?.live.stop('cancelled');
        // `run()` reports it.
        await running?.ended.catch(() => undefined);
        await this.#options.agents.drop(sessionId, { graceMs: 1000 });
        this.#steering.delete(sessionId);
        return true;
      default:
        return this.#options.agents.answer(sessionId, command);
    }
  }

  #steeringOf(sessionId: string): Steering {
    const steering = this.#steering.get(sessionId) ?? new Steering();
    this.#steering.set(sessionId, steering);
    return steering;
  }

  hasAgent(sessionId: string): boolean {
    return this.#options.agents.has(sessionId);
  }

  renewAgent(sessionId: string, ttlMs: number): void {
    this.#options.agents.renew(sessionId, ttlMs);
  }

  async stopAgent(sessionId: string): Promise<void> {
    await this.#options.agents.drop(sessionId);
  }

  async abandon(sessionId: string): Promise<void> {
    const running = this.#running.get(sessionId);
    this.#steering.delete(sessionId);
    await this.#options.agents.drop(sessionId, { graceMs: 0 });
    await running?.ended.catch(() => undefined);
  }

  async stop(): Promise<void> {
    const running = [...this.#running.values()];
    for (const { live } of running) live.stop('server_shutdown');
    await Promise.allSettled(running.map(({ ended }) => ended));
  }
}
