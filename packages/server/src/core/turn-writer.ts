import type { EventLog } from '../log/event-log.js';
import { eventBytes, type NewEvent } from '../log/logged-event.js';

export interface TurnWriterOptions {
  readonly log: Pick<EventLog, 'append'>;
  readonly sessionId: string;
  /** `add()` waits for the log above this. Default 1 MiB. */
  readonly maxPendingBytes?: number | undefined;
}

/**
 * Appends the events of one turn in order without waiting for each; a slow disk slows the model. After a failure
 * nothing more is written.
 */
export class TurnWriter {
  readonly #options: TurnWriterOptions;
  #pendingBytes = 0;
  #settled: Promise<unknown> = Promise.resolve();
  #failure: unknown;

  constructor(options: TurnWriterOptions) {
    this.#options = options;
  }

  async add(events: readonly NewEvent[]): Promise<void> {
    if (this.#failure !== undefined) throw this.#failure;
    if (events.length === 0) return;
    const { log, sessionId, maxPendingBytes = 1024 * 1024 } = this.#options;
    const bytes = events.reduce((sum, event) => sum + eventBytes(event), 0);
    this.#pendingBytes += bytes;
    const appended = log.append(sessionId, events, { writer: this }).then(
      () => {
        this.#pendingBytes -= bytes;
      },
      (thrown: unknown) => {
        this.#failure ??= thrown;
      },
    );
    this.#settled = Promise.all([this.#settled, appended]);
    if (this.#pendingBytes > maxPendingBytes) await this.flush();
  }

  /** Resolves when everything is durable. */
  async flush(): Promise<void> {
    await this.#settled;
    if (this.#failure !== undefined) throw this.#failure;
  }
}
