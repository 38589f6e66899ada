import type { ReadableStreamDefaultController } from 'node:stream/web';
import { AgentError, toWireError } from '@qwen/protocol';
import type { LogItem } from '../log/log-item.js';
import type { LogSubscription } from '../log/log-subscription.js';
import type { EventFramer } from './event-framer.js';
import { formatEvent, formatRetry, HEARTBEAT } from './sse-frame.js';

export interface EventStreamOptions {
  /** Makes bytes of what the log gives. */
  readonly framer: Pick<EventFramer, 'frame'>;
  /** What goes out first. Default: how long a client waits before it comes back. */
  readonly opening?: string | undefined;
  /** A comment goes out after so much silence, in milliseconds. Default 15,000 (GAP-73). */
  readonly heartbeatMs?: number | undefined;
  /**
   * After so long the stream ends politely and the client comes back, in milliseconds. A peer that is gone without a
   * word is held no longer than this (F123). Default 30 minutes.
   */
  readonly maxAgeMs?: number | undefined;
  /**
   * Drops the connection. Called when the log has ended the subscription and the client does not take its last event
   * within `abandonAfterMs` (default 5,000). Must not throw.
   */
  readonly abandon?: (() => void) | undefined;
  readonly abandonAfterMs?: number | undefined;
  /**
   * How long clients are to wait before they come back, in milliseconds; each is told a time between this and three
   * times as much, so that those who lost one server do not return in one moment (F128). Default 1,000.
   */
  readonly retryMs?: number | undefined;
}

const THIRTY_MINUTES_MS = 30 * 60_000;

/**
 * A subscription as the body of a Server-Sent Events response. It pulls: nothing is taken from the log before the
 * connection asks for more, so a slow client fills no buffer here. The stream closes the subscription on every way out.
 */
export function createEventStream(
  subscription: LogSubscription,
  options: EventStreamOptions,
): ReadableStream<Uint8Array<ArrayBuffer>> {
  // No queue of its own: a chunk is made when the connection has room.
  return new ReadableStream(new EventSource(subscription, options), { highWaterMark: 0 });
}

/** What a `ReadableStream` asks for bytes. */
class EventSource {
  readonly #subscription: LogSubscription;
  readonly #options: EventStreamOptions;
  readonly #endsAtMs: number;
  #isBegun = false;
  /** The take that waits; it goes on while heartbeats pass. */
  #taking: Promise<readonly LogItem[]> | undefined;
  #abandonTimer: NodeJS.Timeout | undefined;

  constructor(subscription: LogSubscription, options: EventStreamOptions) {
    this.#subscription = subscription;
    this.#options = options;
    this.#endsAtMs = Date.now() + (options.maxAgeMs ?? THIRTY_MINUTES_MS);
    subscription.ended.addEventListener('abort', () => this.#expectTheEnd(), { once: true });
  }

  async pull(controller: ReadableStreamDefaultController<Uint8Array<ArrayBuffer>>): Promise<void> {
    if (!this.#isBegun) {
      this.#isBegun = true;
      const { retryMs = 1000, opening = formatRetry(retryMs * (1 + 2 * Math.random())) } = this.#options;
      controller.enqueue(Buffer.from(opening));
      return;
    }
    try {
      const chunk = await this.#nextChunk();
      if (chunk === undefined) this.#end(controller);
      else controller.enqueue(chunk);
    } catch (error) {
      const wire = toWireError(AgentError.from(error));
      controller.enqueue(
        Buffer.from(formatEvent({ type: 'error', data: JSON.stringify({ type: 'error', error: wire }) })),
      );
      this.#end(controller);
    }
  }

  /** The client has left. */
  cancel(): void {
    this.#release();
  }

  /** Bytes to send next; undefined at the end. */
  async #nextChunk(): Promise<Uint8Array<ArrayBuffer> | undefined> {
    for (;;) {
      const items = await this.#itemsOrSilence();
      // What was taken and is not sent is not lost: the client asks for it when it comes back.
      if (items.length === 0 || Date.now() >= this.#endsAtMs) return undefined;
      if (items === 'silence') return Buffer.from(HEARTBEAT);
      const chunk = this.#options.framer.frame(items);
      if (chunk.length > 0) return chunk;
    }
  }

  async #itemsOrSilence(): Promise<readonly LogItem[] | 'silence'> {
    this.#taking ??= this.#subscription.take();
    const waitMs = Math.min(this.#options.heartbeatMs ?? 15_000, Math.max(0, this.#endsAtMs - Date.now()));
    let timer: NodeJS.Timeout | undefined;
    const silence = new Promise<'silence'>((resolve) => {
      timer = setTimeout(resolve, waitMs, 'silence');
    });
    try {
      const items = await Promise.race([this.#taking, silence]);
      if (items !== 'silence') this.#taking = undefined;
      return items;
    } finally {
      clearTimeout(timer);
    }
  }

  #end(controller: ReadableStreamDefaultController<Uint8Array<ArrayBuffer>>): void {
    this.#release();
    controller.close();
  }

  #release(): void {
    clearTimeout(this.#abandonTimer);
    this.#subscription.close();
  }

  #expectTheEnd(): void {
    const { abandon, abandonAfterMs = 5000 } = this.#options;
    this.#abandonTimer = setTimeout(() => {
      this.#release();
      abandon?.();
    }, abandonAfterMs).unref();
  }
}
