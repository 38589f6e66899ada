import { AgentError, createDeferred, type Deferred } from '@qwen/protocol';
import { type RemoteLines, remoteTakenSchema } from '@qwen/protocol/server';
import type { RemoteClient } from './http-transport-client.js';
import { isPassing, RetryPace } from './retry-pace.js';

export interface RemoteSenderOptions {
  readonly client: RemoteClient;
  /** Aborting it ends the sending at once. */
  readonly signal: AbortSignal;
  /** A line cannot be said, now or later. Must not throw. Not called for a CLI that is gone. */
  readonly onFailed: (error: AgentError) => void;
}

/** Whoever sends waits while more than this is on the way, in bytes. */
const HIGH_WATER_BYTES = 1024 * 1024;
/** What one request carries at most; a longer line goes alone. */
const BATCH_BYTES = 256 * 1024;
/** Where connections break all the time, only little gets through at once. */
const SMALLEST_BATCH_BYTES = 1024;

interface Waiting {
  readonly text: string;
  readonly bytes: number;
}

/**
 * Carries lines to a remote CLI: numbered, in order, one request at a time. A request whose answer was lost is said again,
 * and the server takes what is new of it, so each line arrives once (F129).
 */
export class RemoteSender {
  readonly #options: RemoteSenderOptions;
  /** Not confirmed yet; the first one has the number `#first`. */
  #lines: Waiting[] = [];
  #first = 1;
  #bytes = 0;
  #batchBytes = BATCH_BYTES;
  #isOpen = false;
  #hasEnd = false;
  #isEndSaid = false;
  #isOver = false;
  #isRunning = false;
  #room: Deferred<void> | undefined;
  readonly #quiet = createDeferred<void>();

  constructor(options: RemoteSenderOptions) {
    this.#options = options;
  }

  /** Resolves when the end was said, or nothing can be said any more. */
  get quiet(): Promise<void> {
    return this.#quiet.promise;
  }

  /** The CLI is there: what waits may go. */
  open(): void {
    this.#isOpen = true;
    this.#go();
  }

  /** Resolves when there is room for more. Rejects with `channel_closed` when there is or will be no way for it. */
  send(line: string): Promise<void> {
    if (this.#isOver || this.#hasEnd) return Promise.reject(inputClosed());
    const text = line.endsWith('\n') ? line.slice(0, -1) : line;
    const bytes = Buffer.byteLength(text);
    this.#lines.push({ text, bytes });
    this.#bytes += bytes;
    this.#go();
    if (this.#bytes <= HIGH_WATER_BYTES) return Promise.resolve();
    this.#room ??= createDeferred();
    return this.#room.promise;
  }

  /** Nothing comes behind what was sent. */
  end(): void {
    this.#hasEnd = true;
    this.#go();
  }

  /** Nothing can be sent any more. */
  stop(): void {
    if (this.#isOver) return;
    this.#isOver = true;
    this.#lines = [];
    this.#room?.reject(inputClosed());
    this.#room = undefined;
    this.#quiet.resolve();
  }

  #go(): void {
    if (!this.#isOpen || this.#isRunning) return;
    this.#isRunning = true;
    this.#run().catch((error: unknown) => {
      this.stop();
      if (!isGone(error)) this.#options.onFailed(AgentError.from(error));
    });
  }

  async #run(): Promise<void> {
    const { signal } = this.#options;
    const pace = new RetryPace({ patienceMs: Infinity, signal });
    while (!this.#isOver && (this.#lines.length > 0 || this.#hasEnd !== this.#isEndSaid)) {
      try {
        await this.#sayOnce();
        pace.succeeded();
        this.#batchBytes = Math.min(BATCH_BYTES, this.#batchBytes * 2);
      } catch (error) {
        if (!isPassing(error)) throw error;
        this.#batchBytes = Math.max(SMALLEST_BATCH_BYTES, this.#batchBytes / 4);
        await pace.failed(error);
      }
    }
    this.#isRunning = false;
    if (this.#isEndSaid) this.#quiet.resolve();
  }

  async #sayOnce(): Promise<void> {
    const { client, signal } = this.#options;
    const lines = this.#nextBatch();
    const end = this.#hasEnd && lines.length === this.#lines.length;
    const body: RemoteLines = { first: this.#first, lines, ...(end && { end }) };
    const answer = await client.ask({ method: 'POST', path: '/lines', body, signal });
    const { taken } = remoteTakenSchema.parse(answer);
    const isWhole = taken >= this.#first + lines.length - 1;
    this.#confirm(taken);
    if (end && isWhole) this.#isEndSaid = true;
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
    const gone = this.#lines.splice(0, Math.max(0, taken + 1 - this.#first));
    this.#first += gone.length;
    for (const { bytes } of gone) this.#bytes -= bytes;
    if (this.#bytes > HIGH_WATER_BYTES) return;
    this.#room?.resolve();
    this.#room = undefined;
  }
}

/** The reader hears of it too, and knows why. */
function isGone(error: unknown): boolean {
  return AgentError.is(error) && (error.code === 'channel_closed' || error.code === 'session_not_found');
}

function inputClosed(): AgentError {
  return new AgentError('channel_closed', 'The remote CLI no longer takes input.');
}
