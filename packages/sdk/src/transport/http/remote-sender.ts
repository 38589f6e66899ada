import { AgentError } from '@qwen/protocol';
import { type RemoteLines, remoteTakenSchema } from '@qwen/protocol/server';
import { Backoff, isRetryable } from './backoff.js';
import type { RemoteClient } from './remote-client.js';

export interface RemoteSenderOptions {
  readonly client: RemoteClient;
  readonly signal: AbortSignal;
  /** Must not throw. */
  readonly onFailed: (error: AgentError) => void;
}

const HIGH_WATER_BYTES = 1024 * 1024;
/** Largest request body; a longer line is sent alone. */
const BATCH_BYTES = 256 * 1024;
/** Batches shrink to this on connections that keep breaking. */
const SMALLEST_BATCH_BYTES = 1024;

interface OutgoingLine {
  readonly text: string;
  readonly bytes: number;
}

/** Repeats requests without an answer; the server skips lines it has. */
export class RemoteSender {
  readonly #options: RemoteSenderOptions;
  /** Unconfirmed, from number `#first`. */
  #lines: OutgoingLine[] = [];
  #first = 1;
  #bytes = 0;
  #batchBytes = BATCH_BYTES;
  #isOpen = false;
  #hasEnd = false;
  #isEndSent = false;
  #isOver = false;
  #isRunning = false;
  #room: PromiseWithResolvers<void> | undefined;
  readonly #idle = Promise.withResolvers<void>();

  constructor(options: RemoteSenderOptions) {
    this.#options = options;
  }

  get idle(): Promise<void> {
    return this.#idle.promise;
  }

  open(): void {
    this.#isOpen = true;
    this.#start();
  }

  /** Rejects with `channel_closed`. */
  send(line: string): Promise<void> {
    if (this.#isOver || this.#hasEnd) return Promise.reject(inputClosed());
    const text = line.endsWith('\n') ? line.slice(0, -1) : line;
    const bytes = Buffer.byteLength(text);
    this.#lines.push({ text, bytes });
    this.#bytes += bytes;
    this.#start();
    if (this.#bytes <= HIGH_WATER_BYTES) return Promise.resolve();
    this.#room ??= Promise.withResolvers();
    return this.#room.promise;
  }

  end(): void {
    this.#hasEnd = true;
    this.#start();
  }

  stop(): void {
    if (this.#isOver) return;
    this.#isOver = true;
    this.#lines = [];
    this.#room?.reject(inputClosed());
    this.#room = undefined;
    this.#idle.resolve();
  }

  #start(): void {
    if (!this.#isOpen || this.#isRunning) return;
    this.#isRunning = true;
    this.#run().catch((error: unknown) => {
      this.stop();
      if (!isGone(error)) this.#options.onFailed(AgentError.from(error));
    });
  }

  async #run(): Promise<void> {
    const { signal } = this.#options;
    const backoff = new Backoff({ patienceMs: Infinity, signal });
    while (!this.#isOver && (this.#lines.length > 0 || this.#hasEnd !== this.#isEndSent)) {
      try {
        await this.#sendBatch();
        backoff.reset();
        this.#batchBytes = Math.min(BATCH_BYTES, this.#batchBytes * 2);
      } catch (error) {
        if (!isRetryable(error)) throw error;
        this.#batchBytes = Math.max(SMALLEST_BATCH_BYTES, this.#batchBytes / 4);
        await backoff.wait(error);
      }
    }
    this.#isRunning = false;
    if (this.#isEndSent) this.#idle.resolve();
  }

  async #sendBatch(): Promise<void> {
    const { client, signal } = this.#options;
    const lines = this.#nextBatch();
    const end = this.#hasEnd && lines.length === this.#lines.length;
    const body: RemoteLines = { first: this.#first, lines, ...(end && { end }) };
    const answer = await client.request({ method: 'POST', path: '/lines', body, signal });
    const { taken } = remoteTakenSchema.parse(answer);
    const isComplete = taken >= this.#first + lines.length - 1;
    this.#confirm(taken);
    if (end && isComplete) this.#isEndSent = true;
  }

  #nextBatch(): string[] {
    let bytes = 0;
    const end = this.#lines.findIndex((line, index) => {
      bytes += line.bytes;
      return index > 0 && bytes > this.#batchBytes;
    });
    return this.#lines.slice(0, end === -1 ? this.#lines.length : end).map(({ text }) => text);
  }

  #confirm(taken: number): void {
    const confirmed = this.#lines.splice(0, Math.max(0, taken + 1 - this.#first));
    this.#first += confirmed.length;
    for (const { bytes } of confirmed) this.#bytes -= bytes;
    if (this.#bytes > HIGH_WATER_BYTES) return;
    this.#room?.resolve();
    this.#room = undefined;
  }
}

/** The reader reports the reason. */
function isGone(error: unknown): boolean {
  return AgentError.is(error) && (error.code === 'channel_closed' || error.code === 'session_not_found');
}

function inputClosed(): AgentError {
  return new AgentError('channel_closed', 'The remote CLI no longer accepts input.');
}
