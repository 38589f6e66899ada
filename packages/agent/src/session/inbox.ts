import { AgentError, MAX_QUEUED_PROMPTS } from '@qwen/protocol';
import type { Submission } from './options.js';
import type { SessionTask } from './session-task.js';

/** What waits: something that becomes a turn, or work between turns. */
export type InboxEntry = Submission | SessionTask;

/** What waits for its turn, in order. `onChange` is called when there is something to do for whoever empties it. */
export class Inbox {
  readonly #onChange: () => void;
  readonly #waiting: InboxEntry[] = [];
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

  /** Takes what somebody wants. Throws `overloaded` when too many wait already and `channel_closed` after `end()`. */
  submit(entry: InboxEntry): void {
    if (!this.#isEnded && this.#waiting.length >= MAX_QUEUED_PROMPTS) {
      throw new AgentError('overloaded', `${MAX_QUEUED_PROMPTS} messages are already queued.`);
    }
    this.queue(entry);
  }

  /** Takes it however many wait. Throws `channel_closed` after `end()`. */
  queue(entry: InboxEntry): void {
    if (this.#isEnded) throw new AgentError('channel_closed', 'The session takes no more messages.');
    this.#waiting.push(entry);
    this.#onChange();
  }

  take(): InboxEntry | undefined {
    return this.#waiting.shift();
  }

  end(): void {
    this.#isEnded = true;
    this.#onChange();
  }

  /** Forgets what waits; errands come to nothing with `channel_closed`. */
  clear(): void {
    for (const entry of this.#waiting.splice(0)) {
      if ('drop' in entry) entry.drop(new AgentError('channel_closed', 'The session was closed.'));
    }
  }
}
