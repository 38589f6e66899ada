import type { AgentEvent, PromptMessage } from '@qwen/agent';
import { AgentError, AsyncQueue, NO_USAGE } from '@qwen/protocol';

/** As many as the agent lets wait; its own constant would load the engine here. */
const MAX_WAITING = 32;

/** Prompts that came before there was a session to answer them, and turns of a session that cannot answer. */
export class WaitingPrompts {
  readonly #prompts: PromptMessage[] = [];
  /** Set once it is clear that no session will answer. */
  #refused: AsyncQueue<string> | undefined;
  #isEnded = false;

  /** Throws `overloaded` when too many wait already. */
  keep(prompt: PromptMessage): void {
    if (this.#prompts.length >= MAX_WAITING) {
      throw new AgentError('overloaded', `${MAX_WAITING} messages wait for their turn already.`);
    }
    if (this.#refused === undefined) this.#prompts.push(prompt);
    else this.#refused.push(prompt.uuid);
  }

  /** All that wait, in order; they wait no more. */
  take(): readonly PromptMessage[] {
    return this.#prompts.splice(0);
  }

  /** No more come. */
  end(): void {
    this.#isEnded = true;
    this.#refused?.end();
  }

  /** Answers these turns and prompts that still come with this error. Ends after the last one that was there at `end()`. */
  async *refuse(error: AgentError, turnIds: readonly string[]): AsyncGenerator<AgentEvent, void> {
    const refused = new AsyncQueue<string>();
    this.#refused = refused;
    this.take();
    for (const turnId of turnIds) refused.push(turnId);
    if (this.#isEnded) refused.end();
    for await (const turnId of refused) {
      yield { type: 'turn_start', turnId };
      yield {
        type: 'turn_end',
        turnId,
        outcome: { type: 'error', error },
        durationMs: 0,
        durationApiMs: 0,
        modelCalls: 0,
        usage: NO_USAGE,
        permissionDenials: [],
      };
    }
  }
}
