import { AgentError } from '@qwen/protocol';
import type { AppendOutcome, SessionAppend } from './event-store.js';
import { type AppendReceipt, eventBytes } from './logged-event.js';

interface Waiting {
  readonly entry: SessionAppend;
  readonly bytes: number;
  readonly resolve: (receipts: readonly AppendReceipt[]) => void;
  readonly reject: (error: unknown) => void;
}

/** The most that one durable step takes, so that a step stays short. */
const MAX_STEP_BYTES = 1024 * 1024;

/**
 * Groups appends: while one durable step runs, what comes waits together for the next. A disk that is slow makes larger
 * groups instead of longer queues.
 */
export class AppendBatcher {
  readonly #write: (batch: readonly SessionAppend[]) => Promise<readonly AppendOutcome[]>;
  readonly #maxPendingBytes: number;
  #waiting: Waiting[] = [];
  #pendingBytes = 0;
  #isRunning = false;
  #last: Promise<unknown> = Promise.resolve();

  constructor(write: (batch: readonly SessionAppend[]) => Promise<readonly AppendOutcome[]>, maxPendingBytes: number) {
    this.#write = write;
    this.#maxPendingBytes = maxPendingBytes;
  }

  /** Resolves once the events are durable. Errors: `overloaded`; those of the store. */
  add(entry: SessionAppend): Promise<readonly AppendReceipt[]> {
    const bytes = entry.events.reduce((sum, event) => sum + eventBytes(event), 0);
    if (this.#pendingBytes > 0 && this.#pendingBytes + bytes > this.#maxPendingBytes) {
      const message = `${this.#pendingBytes} bytes of events wait to be written; no more are taken.`;
      return Promise.reject(new AgentError('overloaded', message));
    }
    this.#pendingBytes += bytes;
    const done = new Promise<readonly AppendReceipt[]>((resolve, reject) => {
      this.#waiting.push({ entry, bytes, resolve, reject });
    });
    this.#last = done;
    if (!this.#isRunning) void this.#run();
    return done;
  }

  /** Resolves when what was added before is durable or refused. Never rejects. */
  async settled(): Promise<void> {
    await this.#last.catch(() => undefined);
  }

  /** Never rejects: what fails fails in the appends. */
  async #run(): Promise<void> {
    this.#isRunning = true;
    // Neighbours of the same tick go together from the first step on.
    await Promise.resolve();
    while (this.#waiting.length > 0) {
      const step = this.#nextStep();
      await this.#settle(step);
      for (const { bytes } of step) this.#pendingBytes -= bytes;
    }
    this.#isRunning = false;
  }

  #nextStep(): Waiting[] {
    let bytes = 0;
    const end = this.#waiting.findIndex((waiting, index) => {
      bytes += waiting.bytes;
      return index > 0 && bytes > MAX_STEP_BYTES;
    });
    return this.#waiting.splice(0, end === -1 ? this.#waiting.length : end);
  }

  async #settle(step: readonly Waiting[]): Promise<void> {
    try {
      const outcomes = await this.#write(step.map(({ entry }) => entry));
      for (const [index, { resolve, reject }] of step.entries()) {
        const outcome = outcomes[index] ?? new AgentError('internal', 'The store gave no outcome for an append.');
        if (AgentError.is(outcome)) reject(outcome);
        else resolve(outcome);
      }
    } catch (error) {
      for (const { reject } of step) reject(error);
    }
  }
}
