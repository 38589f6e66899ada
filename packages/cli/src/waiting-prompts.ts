import type { AgentEvent, PromptMessage } from '@qwen/agent';
import { AgentError, AsyncQueue, NO_USAGE } from '@qwen/protocol';

/** As many as the agent lets wait; its own constant would load the engine here. */
const MAX_WAITING = 32;

/** Prompts that came before there was a session to answer them, and those of a session that could not be opened. */
export class WaitingPrompts {
  readonly #prompts: PromptMessage[] = [];
  /** Set once it is clear that no session will answer. */
  #refused: AsyncQueue<PromptMessage> | undefined;
  #isEnded = false;

  /** Throws `overloaded` when too many wait already. */
  keep(prompt: PromptMessage): void {
    if (this.#prompts.length >= MAX_WAITING) {
      throw new AgentError('overloaded', `${MAX_WAITING} messages wait for their turn already.`);
    }
    if (this.#refused === undefined) this.#prompts.push(prompt);
    else this.#refused.push(prompt);
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

  /** Answers what waits and what still comes with this error. Ends after the last one that waited at `end()`. */
  async *refuse(error: AgentError): AsyncGenerator<AgentEvent, void> {
    const refused = new AsyncQueue<PromptMessage>();
    this.#refused = refused;
    for (const prompt of this.take()) refused.push(prompt);
    if (this.#isEnded) refused.end();
    for await (const { uuid: turnId } of refused) {
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
