import { Backoff, isRetryable } from './backoff.js';
import type { RemoteClient } from './remote-client.js';

export interface ReceiptsOptions {
  readonly client: RemoteClient;
  /** Sends a receipt after this many bytes. */
  readonly everyBytes: number;
  /** Aborting it ends all requests. */
  readonly signal: AbortSignal;
}

/** Confirms received lines, so that the server may forget them and the CLI may send more. One request at a time. */
export class Receipts {
  readonly #options: ReceiptsOptions;
  #seq = 0;
  #unconfirmedBytes = 0;
  #isDue = false;
  #isRunning = false;

  constructor(options: ReceiptsOptions) {
    this.#options = options;
  }

  /** Every line up to `seq` has arrived; `bytes` since the last call. */
  received(seq: number, bytes: number): void {
    this.#seq = seq;
    this.#unconfirmedBytes += bytes;
    if (this.#unconfirmedBytes >= this.#options.everyBytes) this.schedule();
  }

  /** Sends a receipt soon, even without new lines: the server also needs it as a sign of life. */
  schedule(): void {
    this.#isDue = true;
    if (!this.#isRunning) void this.#run();
  }

  /** Sends one receipt. Rejects with the errors of the client. */
  async send(signal: AbortSignal): Promise<void> {
    this.#isDue = false;
    this.#unconfirmedBytes = 0;
    await this.#options.client.request({ method: 'POST', path: '/received', body: { seq: this.#seq }, signal });
  }

  /** Never rejects: the stream of lines fails for the same reason. */
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
