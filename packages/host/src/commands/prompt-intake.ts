import type { PromptMessage } from '@qwen/agent';
import { AgentError } from '@qwen/protocol';

export interface PromptIntakeOptions {
  readonly submit: (prompt: PromptMessage) => void;
  /** Handles a prompt that may be a command or refer to files. Rejects with the reason. */
  readonly take: (prompt: PromptMessage) => Promise<void>;
  /** Ends the input. */
  readonly endInput: () => void;
}

/**
 * Passes prompts to the agent in order. A prompt that may be a command or refer to files is handled first, and later
 * prompts wait for it; the others pass at once.
 */
export class PromptIntake {
  readonly #options: PromptIntakeOptions;
  /** Settles when everything so far was passed on. Undefined: nothing waits. */
  #waiting: Promise<void> | undefined;

  constructor(options: PromptIntakeOptions) {
    this.#options = options;
  }

  /**
   * A `literal` prompt goes to the model unchanged. Throws what `submit` throws if nothing waits; later errors go to
   * `onRefused`.
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

  /**
   * Reserves a place in the order for input that is still being read; `step` resolves with the action and never
   * rejects.
   */
  reserve(step: Promise<(() => Promise<void>) | undefined>): void {
    this.#queue(async () => (await step)?.());
  }

  /** Queued prompts are still passed on. */
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

/**
 * Whether the prompt may be a command or refer to files. Separate from the code that knows, which loads on demand.
 */
function mayMeanMore(content: PromptMessage['content']): boolean {
  if (typeof content === 'string') return /^\s*[/?]/.test(content) || content.includes('@');
  return content.some((block) => block.type === 'text' && block.text.includes('@'));
}
