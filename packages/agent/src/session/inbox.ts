import { AgentError } from '@qwen/protocol';
import { MAX_WAITING_MESSAGES, type PromptMessage, type Submission } from './options.js';

/** What waits for its turn, in order. `onChange` is called when there is something to do for whoever empties it. */
export class Inbox {
  readonly #onChange: () => void;
  readonly #waiting: Submission[] = [];
  #isEnded = false;

  constructor(onChange: () => void) {
    this.#onChange = onChange;
  }

  get isEmpty(): boolean {
    return this.#waiting.length === 0;
  }

  /** Nothing more comes; what waits is still to be taken. */
  get isEnded(): boolean {
    return this.#isEnded;
  }

  /** Takes what somebody says. Throws `overloaded` when too many wait already and `channel_closed` after `end()`. */
  submit(message: PromptMessage): void {
    if (!this.#isEnded && this.#waiting.length >= MAX_WAITING_MESSAGES) {
      throw new AgentError('overloaded', `${MAX_WAITING_MESSAGES} messages wait for their turn already.`);
    }
    this.queue(message);
  }

  /** Takes it however many wait. Throws `channel_closed` after `end()`. */
  queue(submission: Submission): void {
    if (this.#isEnded) throw new AgentError('channel_closed', 'The session takes no more messages.');
    this.#waiting.push(submission);
    this.#onChange();
  }

  take(): Submission | undefined {
    return this.#waiting.shift();
  }

  end(): void {
    this.#isEnded = true;
    this.#onChange();
  }

  /** Forgets what waits. */
  clear(): void {
    this.#waiting.length = 0;
  }
}
