import type { RemoteClient } from './http-transport-client.js';
import { isPassing, RetryPace } from './retry-pace.js';

export interface ReceiptsOptions {
  readonly client: RemoteClient;
  /** So many bytes may come before the server hears of them. */
  readonly everyBytes: number;
  /** Aborting it ends the sending at once. */
  readonly signal: AbortSignal;
}

/**
 * Tells the server up to which number everything has arrived: it then forgets that, and lets the CLI say more. One
 * request at a time, said again until it gets through.
 */
export class Receipts {
  readonly #options: ReceiptsOptions;
  #seq = 0;
  #untoldBytes = 0;
  #isDue = false;
  #isRunning = false;

  constructor(options: ReceiptsOptions) {
    this.#options = options;
  }

  /** Everything up to this number is here, `bytes` more than before. */
  received(seq: number, bytes: number): void {
    this.#seq = seq;
    this.#untoldBytes += bytes;
    if (this.#untoldBytes >= this.#options.everyBytes) this.tellSoon();
  }

  /** Tells where we are, also when nothing came since: it is a sign of life. */
  tellSoon(): void {
    this.#isDue = true;
    if (!this.#isRunning) void this.#run();
  }

  /** Tells where we are, once. Errors: those of the client. */
  async tell(signal: AbortSignal): Promise<void> {
    this.#isDue = false;
    this.#untoldBytes = 0;
    await this.#options.client.ask({ method: 'POST', path: '/received', body: { seq: this.#seq }, signal });
  }

  /** Never rejects: what cannot be got over, the connection for lines meets too. */
  async #run(): Promise<void> {
    const { signal } = this.#options;
    this.#isRunning = true;
    const pace = new RetryPace({ patienceMs: Infinity, signal });
    try {
      while (this.#isDue) {
        try {
          await this.tell(signal);
          pace.succeeded();
        } catch (error) {
          if (!isPassing(error)) return;
          await pace.failed(error);
          this.#isDue = true;
        }
      }
    } catch {
      // Aborted while it waited.
    } finally {
      this.#isRunning = false;
    }
  }
}
