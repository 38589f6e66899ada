import type { PromptMessage } from '@qwen/agent';
import { AgentError } from '@qwen/protocol';

export interface PromptIntakeOptions {
  /** Hands a prompt to the agent; throws what it may throw. */
  readonly submit: (prompt: PromptMessage) => void;
  /** Takes a prompt in that may be a command or refer to files; rejects with what it comes to nothing for. */
  readonly take: (prompt: PromptMessage) => Promise<void>;
  /** No more prompts come. */
  readonly endInput: () => void;
}

/**
 * The way of prompts to the agent, in their order. What may be a slash command or refer to files is looked at first;
 * whatever comes behind it waits meanwhile. All else passes at once.
 */
export class PromptIntake {
  readonly #options: PromptIntakeOptions;
  /** Settles when everything so far was handed over. Undefined: nothing waits. */
  #waiting: Promise<void> | undefined;

  constructor(options: PromptIntakeOptions) {
    this.#options = options;
  }

  /**
   * A `literal` prompt is for the model as it is. Throws what `submit` throws, where nothing has to wait; later refusals
   * go to `onRefused`.
   */
  take(prompt: PromptMessage, onRefused: (error: AgentError) => void, form: 'typed' | 'literal' = 'typed'): void {
    const isPlain = form === 'literal' || !mayMeanMore(prompt.content);
    if (isPlain && this.#waiting === undefined) {
      this.#options.submit(prompt);
      return;
    }
    this.#queue(async () => {
      try {
        if (isPlain) this.#options.submit(prompt);
        else await this.#options.take(prompt);
      } catch (thrown) {
        onRefused(AgentError.from(thrown));
      }
    });
  }

  /** Keeps a place among the prompts for what is still to be read; `step` gives what is to happen there, and never rejects. */
  reserve(step: Promise<(() => Promise<void>) | undefined>): void {
    this.#queue(async () => (await step)?.());
  }

  /** What waits is still handed over. */
  endInput(): void {
    if (this.#waiting === undefined) this.#options.endInput();
    else this.#queue(async () => this.#options.endInput());
  }

  #queue(step: () => Promise<void>): void {
    const waiting = (this.#waiting ?? Promise.resolve()).then(step).then(() => {
      if (this.#waiting === waiting) this.#waiting = undefined;
    });
    this.#waiting = waiting;
  }
}

/** Whether it may be a command (F-01) or refer to files (CF-23). Kept apart from what knows: that loads only then. */
function mayMeanMore(content: PromptMessage['content']): boolean {
  if (typeof content === 'string') return /^\s*[/?]/.test(content) || content.includes('@');
  return content.some((block) => block.type === 'text' && block.text.includes('@'));
}
