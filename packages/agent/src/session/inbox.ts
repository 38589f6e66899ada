import { AgentError, MAX_QUEUED_PROMPTS } from '@qwen/protocol';
import type { PromptMessage, Submission } from './options.js';
import type { SessionTask } from './session-task.js';

export type InboxEntry = Submission | SessionTask;

/** Queued turns and tasks, in order. `onChange` runs when there is work. */
export class Inbox {
  readonly #onChange: () => void;
  readonly #waiting: InboxEntry[] = [];
  /** Blocked for the running turn. */
  readonly #deferred = new Set<string>();
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

  /** Messages with priority come first. */
  take(): InboxEntry | undefined {
    const entry = this.#urgent().find((one) => !isSteering(one)) ?? this.#waiting.find((one) => !isSteering(one));
    return entry === undefined ? undefined : this.#remove(entry);
  }

  /** At the end of a turn: drops the messages that only it could have taken. */
  dropSteering(): void {
    for (const entry of this.#waiting.filter(isSteering)) this.#remove(entry).onSteered(false);
  }

  /** The next message that the running turn takes. It stays queued. */
  get forRunningTurn(): PromptMessage | undefined {
    return this.#urgent().find(({ uuid, overrides }) => overrides === undefined && !this.#deferred.has(uuid));
  }

  /** Removes a queued prompt. False if it is not queued. */
  withdraw(uuid: string): boolean {
    const entry = this.#waiting.find((one) => !('drop' in one) && one.uuid === uuid);
    return entry !== undefined && this.#remove(entry) !== undefined;
  }

  /** Leaves a message for a separate turn. */
  defer(uuid: string): void {
    this.#deferred.add(uuid);
  }

  restore(message: PromptMessage): void {
    this.#waiting.unshift(message);
  }

  /** None overtakes a task, a tool call or the rest of a turn. */
  #urgent(): readonly PromptMessage[] {
    const messages: PromptMessage[] = [];
    for (const entry of this.#waiting) {
      if (!isMessage(entry)) break;
      messages.push(entry);
    }
    return (['now', 'next'] as const).flatMap((wanted) => messages.filter(({ priority }) => priority === wanted));
  }

  #remove<Entry extends InboxEntry>(entry: Entry): Entry {
    this.#waiting.splice(this.#waiting.indexOf(entry), 1);
    if ('uuid' in entry) this.#deferred.delete(entry.uuid);
    return entry;
  }

  end(): void {
    this.#isEnded = true;
    this.#onChange();
  }

  /** Drops queued entries; tasks reject with `channel_closed`. */
  clear(): void {
    for (const entry of this.#waiting.splice(0)) {
      if ('drop' in entry) entry.drop(new AgentError('channel_closed', 'The session was closed.'));
      if (isSteering(entry)) entry.onSteered(false);
    }
  }
}

function isSteering(entry: InboxEntry): entry is PromptMessage & Required<Pick<PromptMessage, 'onSteered'>> {
  return isMessage(entry) && entry.onSteered !== undefined;
}

function isMessage(entry: InboxEntry): entry is PromptMessage {
  return 'content' in entry && entry.content !== undefined;
}
