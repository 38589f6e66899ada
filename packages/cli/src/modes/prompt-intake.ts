import type { PromptMessage } from '@qwen/agent';
import { AgentError } from '@qwen/protocol';

export interface PromptIntakeOptions {
  /** Hands a prompt to the agent; throws what it may throw. */
  readonly submit: (prompt: PromptMessage) => void;
  /** What a text that begins with a slash stands for; undefined when it is no command. */
  readonly expand: (text: string) => Promise<PromptMessage['content'] | undefined>;
  /** No more prompts come. */
  readonly endInput: () => void;
}

/**
 * The way of prompts to the agent, in their order. A slash command is exchanged for what it stands for; whatever comes
 * behind it waits meanwhile. All else passes at once.
 */
export class PromptIntake {
  readonly #options: PromptIntakeOptions;
  /** Settles when everything so far was handed over. Undefined: nothing waits. */
  #waiting: Promise<void> | undefined;

  constructor(options: PromptIntakeOptions) {
    this.#options = options;
  }

  /** Throws what `submit` throws, where nothing has to wait; later refusals go to `onRefused`. */
  take(prompt: PromptMessage, onRefused: (error: AgentError) => void): void {
    const { content } = prompt;
    const isCommand = typeof content === 'string' && content.startsWith('/');
    if (!isCommand && this.#waiting === undefined) {
      this.#options.submit(prompt);
      return;
    }
    this.#queue(async () => {
      try {
        this.#options.submit(isCommand ? await this.#expanded(prompt, content) : prompt);
      } catch (thrown) {
        onRefused(AgentError.from(thrown));
      }
    });
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

  /** Each prompt has a turn, so a command that fails has one too: the model reads why, and can tell. */
  async #expanded(prompt: PromptMessage, text: string): Promise<PromptMessage> {
    try {
      const content = await this.#options.expand(text);
      return content === undefined ? prompt : { ...prompt, content };
    } catch (thrown) {
      const { message } = AgentError.from(thrown);
      return { ...prompt, content: `${text}\n\n[This command could not be carried out: ${message}]` };
    }
  }
}
