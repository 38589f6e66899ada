import { AgentError, MAX_QUEUED_PROMPTS } from '@qwen/protocol';
import type { Submission } from './options.js';
import type { SessionTask } from './session-task.js';

export type InboxEntry = Submission | SessionTask;

/** Queued turns and tasks, in order. `onChange` runs when there is work. */
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

  /** No new entries; queued ones remain. */
  get isEnded(): boolean {
    return this.#isEnded;
  }

  /** Throws `overloaded` if full and `channel_closed` after `end()`. */
  submit(entry: InboxEntry): void {
    if (!this.#isEnded && this.#waiting.length >= MAX_QUEUED_PROMPTS) {
      throw new AgentError('overloaded', `${MAX_QUEUED_PROMPTS} messages are already queued.`);
    }
    this.queue(entry);
  }

  /** Ignores the limit. Throws `channel_closed` after `end()`. */
  queue(entry: InboxEntry): void {
    if (this.#isEnded) throw new AgentError('channel_closed', 'The session accepts no more messages.');
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

  /** Drops queued entries; tasks reject with `channel_closed`. */
  clear(): void {
    for (const entry of this.#waiting.splice(0)) {
      if ('drop' in entry) entry.drop(new AgentError('channel_closed', 'The session was closed.'));
    }
  }
}
