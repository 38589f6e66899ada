import { Backoff, isRetryable } from './backoff.js';
import type { RemoteClient } from './remote-client.js';

export interface ReceiptsOptions {
  readonly client: RemoteClient;
  readonly everyBytes: number;
  readonly signal: AbortSignal;
}

/** Confirms lines: the server may forget them and the CLI may send more. */
export class Receipts {
  readonly #options: ReceiptsOptions;
  #seq = 0;
  #unconfirmedBytes = 0;
  #isDue = false;
  #isRunning = false;

  constructor(options: ReceiptsOptions) {
    this.#options = options;
  }

  /** `bytes` since the last call. */
  received(seq: number, bytes: number): void {
    this.#seq = seq;
    this.#unconfirmedBytes += bytes;
    if (this.#unconfirmedBytes >= this.#options.everyBytes) this.schedule();
  }

  /** Also without new lines: it is a sign of life. */
  schedule(): void {
    this.#isDue = true;
    if (!this.#isRunning) void this.#run();
  }

  async send(signal: AbortSignal): Promise<void> {
    this.#isDue = false;
    this.#unconfirmedBytes = 0;
    await this.#options.client.request({ method: 'POST', path: '/received', body: { seq: this.#seq }, signal });
  }

  /** The stream of lines fails for the same reason. */
  async #run(): Promise<void> {
    const { signal } = this.#options;
    this.#isRunning = true;
    const backoff = new Backoff({ patienceMs: Infinity, signal });
    try {
      while (this.#isDue) {
        try {
          await this.send(signal);
          backoff.reset();
        } catch (error) {
          if (!isRetryable(error)) return;
          await backoff.wait(error);
          this.#isDue = true;
        }
      }
    } catch {
      // Aborted while waiting.
    } finally {
      this.#isRunning = false;
    }
  }
}
