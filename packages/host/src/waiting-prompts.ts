import type { AgentEvent, AgentSession } from '@qwen/agent';
import { AgentError, AsyncQueue, MAX_QUEUED_PROMPTS } from '@qwen/protocol';
import { endOfEmptyTurn } from './empty-turn.js';

/** A turn that was asked for. */
export interface WaitingTurn {
  readonly turnId: string;
  /** Hands it to the session; throws what that throws. */
  readonly submit: (session: AgentSession) => void;
}

/** Turns that were asked for before there was a session to answer them, and those of a session that cannot answer. */
export class WaitingPrompts {
  readonly #turns: WaitingTurn[] = [];
  /** Set once it is clear that no session will answer. */
  #refused: AsyncQueue<string> | undefined;
  #isEnded = false;

  /** Throws `overloaded` when too many wait already. */
  keep(turn: WaitingTurn): void {
    if (this.#turns.length >= MAX_QUEUED_PROMPTS) {
      throw new AgentError('overloaded', `${MAX_QUEUED_PROMPTS} messages wait for their turn already.`);
    }
    if (this.#refused === undefined) this.#turns.push(turn);
    else this.#refused.push(turn.turnId);
  }

  /** All that wait, in order; they wait no more. */
  take(): readonly WaitingTurn[] {
    return this.#turns.splice(0);
  }

  /** No more come. */
  end(): void {
    this.#isEnded = true;
    this.#refused?.end();
  }

  /** Answers these turns and those that still come with this error. Ends after the last one that was there at `end()`. */
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
