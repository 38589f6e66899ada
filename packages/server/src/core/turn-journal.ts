import type { EventLog } from '../log/event-log.js';
import { eventBytes, type NewEvent } from '../log/logged-event.js';

export interface TurnJournalOptions {
  readonly log: Pick<EventLog, 'append'>;
  readonly sessionId: string;
  /** With more waiting than this, in bytes, whoever writes has to wait too. Default 1 MiB. */
  readonly maxWaitingBytes?: number | undefined;
}

/**
 * Writes the events of one turn in their order. While one step is on its way to the disk the next one gathers, so a fast
 * model costs few steps; a slow disk slows the model. After a failure nothing more is written.
 */
export class TurnJournal {
  readonly #options: TurnJournalOptions;
  #waiting: NewEvent[] = [];
  #waitingBytes = 0;
  #writing: Promise<void> | undefined;
  #failure: unknown;

  constructor(options: TurnJournalOptions) {
    this.#options = options;
  }

  /** Adds events; resolves as soon as more may be added. Rejects with what the log says. */
  async add(events: readonly NewEvent[]): Promise<void> {
    if (events.length === 0) return;
    this.#waiting.push(...events);
    for (const event of events) this.#waitingBytes += eventBytes(event);
    this.#writing ??= this.#write();
    const { maxWaitingBytes = 1024 * 1024 } = this.#options;
    if (this.#waitingBytes > maxWaitingBytes) await this.flush();
    if (this.#failure !== undefined) throw this.#failure;
  }

  /** Resolves when everything that was added is durable. Rejects with what the log says. */
  async flush(): Promise<void> {
    await this.#writing;
    if (this.#failure !== undefined) throw this.#failure;
  }

  async #write(): Promise<void> {
    // What is added in the same breath goes along.
    await Promise.resolve();
    while (this.#waiting.length > 0 && this.#failure === undefined) {
      const batch = this.#waiting;
      this.#waiting = [];
      this.#waitingBytes = 0;
      try {
        await this.#options.log.append(this.#options.sessionId, batch);
      } catch (thrown) {
        this.#failure = thrown;
      }
    }
    this.#writing = undefined;
  }
}
