import type { ReadableStreamDefaultController } from 'node:stream/web';
import { AgentError, toWireError } from '@qwen/protocol';
import type { LogItem } from '../log/log-item.js';
import type { LogSubscription } from '../log/log-subscription.js';
import type { EventFramer } from './event-framer.js';
import { formatEvent, formatRetry, HEARTBEAT } from './sse-frame.js';

export interface EventStreamOptions {
  readonly framer: Pick<EventFramer, 'frame'>;
  /** The first chunk. Default: `retry:`. */
  readonly opening?: string | undefined;
  /** Interval of comments on an idle stream. Default 15,000. */
  readonly heartbeatMs?: number | undefined;
  /** The stream ends after this time and the client reconnects, which releases vanished peers. Default 30 minutes. */
  readonly maxAgeMs?: number | undefined;
  /**
   * Drops the connection if the client does not read the last event within `abandonAfterMs` (default 5,000). Must
   * not throw.
   */
  readonly abandon?: (() => void) | undefined;
  readonly abandonAfterMs?: number | undefined;
  /** Minimum of the reconnection delay, which varies up to three times as much. Default 1,000. */
  readonly retryMs?: number | undefined;
}

const THIRTY_MINUTES_MS = 30 * 60_000;

/** Takes events only when the connection has room. Always closes the subscription. */
export function createEventStream(
  subscription: LogSubscription,
  options: EventStreamOptions,
): ReadableStream<Uint8Array<ArrayBuffer>> {
  // No queue in the stream either.
  return new ReadableStream(new EventSource(subscription, options), { highWaterMark: 0 });
}

class EventSource {
  readonly #subscription: LogSubscription;
  readonly #options: EventStreamOptions;
  readonly #endsAtMs: number;
  #isOpened = false;
  /** Outlives heartbeats. */
  #taking: Promise<readonly LogItem[]> | undefined;
  #abandonTimer: NodeJS.Timeout | undefined;

  constructor(subscription: LogSubscription, options: EventStreamOptions) {
    this.#subscription = subscription;
    this.#options = options;
    this.#endsAtMs = Date.now() + (options.maxAgeMs ?? THIRTY_MINUTES_MS);
    subscription.ended.addEventListener('abort', () => this.#abandonLater(), { once: true });
  }

  async pull(controller: ReadableStreamDefaultController<Uint8Array<ArrayBuffer>>): Promise<void> {
    if (!this.#isOpened) {
      this.#isOpened = true;
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

  cancel(): void {
    this.#release();
  }

  async #nextChunk(): Promise<Uint8Array<ArrayBuffer> | undefined> {
    for (;;) {
      const items = await this.#itemsOrTimeout();
      // Unsent events are not lost: the client requests them again.
      if (items.length === 0 || Date.now() >= this.#endsAtMs) return undefined;
      if (items === 'timeout') return Buffer.from(HEARTBEAT);
      const chunk = this.#options.framer.frame(items);
      if (chunk.length > 0) return chunk;
    }
  }

  async #itemsOrTimeout(): Promise<readonly LogItem[] | 'timeout'> {
    this.#taking ??= this.#subscription.take();
    const waitMs = Math.min(this.#options.heartbeatMs ?? 15_000, Math.max(0, this.#endsAtMs - Date.now()));
    let timer: NodeJS.Timeout | undefined;
    const timeout = new Promise<'timeout'>((resolve) => {
      timer = setTimeout(resolve, waitMs, 'timeout');
    });
    try {
      const items = await Promise.race([this.#taking, timeout]);
      if (items !== 'timeout') this.#taking = undefined;
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

  #abandonLater(): void {
    const { abandon, abandonAfterMs = 5000 } = this.#options;
    this.#abandonTimer = setTimeout(() => {
      this.#release();
      abandon?.();
    }, abandonAfterMs).unref();
  }
}
