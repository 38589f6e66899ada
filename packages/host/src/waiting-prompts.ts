import type { AgentEvent, AgentSession } from '@qwen/agent';
import { AgentError, AsyncQueue, MAX_QUEUED_PROMPTS } from '@qwen/protocol';
import { endOfEmptyTurn } from './empty-turn.js';

export interface WaitingTurn {
  readonly turnId: string;
  readonly submit: (session: AgentSession) => void;
}

/** Turns queued before the session is open, or after it failed to open. */
export class WaitingPrompts {
  readonly #turns: WaitingTurn[] = [];
  #refused: AsyncQueue<string> | undefined;
  #isEnded = false;

  /** Throws `overloaded`. */
  keep(turn: WaitingTurn): void {
    if (this.#turns.length >= MAX_QUEUED_PROMPTS) {
      throw new AgentError('overloaded', `${MAX_QUEUED_PROMPTS} messages are already queued.`);
    }
    if (this.#refused === undefined) this.#turns.push(turn);
    else this.#refused.push(turn.turnId);
  }

  take(): readonly WaitingTurn[] {
    return this.#turns.splice(0);
  }

  /** False if it is not queued. */
  withdraw(turnId: string): boolean {
    const at = this.#turns.findIndex((turn) => turn.turnId === turnId);
    return at >= 0 && this.#turns.splice(at, 1).length > 0;
  }

  end(): void {
    this.#isEnded = true;
    this.#refused?.end();
  }

  /** Ends after the last turn queued before `end()`. */
  async *refuse(error: AgentError, turnIds: readonly string[]): AsyncGenerator<AgentEvent, void> {
    const refused = new AsyncQueue<string>();
    this.#refused = refused;
    this.take();
    for (const turnId of turnIds) refused.push(turnId);
    if (this.#isEnded) refused.end();
    for await (const turnId of refused) {
      yield { type: 'turn_start', turnId };
      yield endOfEmptyTurn(turnId, { type: 'error', error });
    }
  }
}
