import { AgentError } from '@qwen/protocol';
import type { ServerMetrics } from '../metrics/server-metrics.js';
import type { EventPage } from './event-store.js';
import { LagWatch } from './lag-watch.js';
import type { LogItem, SubscriptionEnd } from './log-item.js';
import type { LogLimits } from './log-limits.js';
import type { LoggedEvent } from './logged-event.js';
import type { SessionTail } from './session-tail.js';

export interface SubscriptionParts {
  readonly tail: SessionTail;
  readonly page: EventPage;
  readonly afterSeq: number;
  readonly threadId: string | undefined;
  readonly limits: LogLimits;
  /** For a reader that the tail does not reach back to. */
  readonly readAfter: (seq: number) => Promise<EventPage>;
  readonly metrics: ServerMetrics | undefined;
  /** Called once. */
  readonly onClose: (subscription: LogSubscription) => void;
}

/**
 * One reader of a session: a cursor without a buffer. The step that takes the last page of the store also decides
 * that it has caught up, synchronously, so no event falls in between.
 */
export class LogSubscription implements Disposable {
  readonly #parts: SubscriptionParts;
  readonly #ended = new AbortController();
  readonly #onTail = () => this.#tailMoved();
  #cursor: number;
  readonly #lag: LagWatch;
  #page: EventPage | undefined;
  #isOver = false;
  #isReading = false;
  #cut: SubscriptionEnd | undefined;
  #wake: (() => void) | undefined;

  /** Use `EventLog.attach()`. */
  constructor(parts: SubscriptionParts) {
    this.#parts = parts;
    this.#cursor = parts.afterSeq;
    this.#page = parts.page;
    const { tail, limits } = parts;
    this.#lag = new LagWatch({ tail, limits, onCut: () => this.#cutOff() });
    parts.tail.reached(parts.page.lastSeq);
    parts.tail.follow(this.#onTail);
  }

  get cursor(): number {
    return this.#cursor;
  }

  /** Later than requested if events were evicted. */
  get beginsAfterSeq(): number {
    return Math.max(this.#parts.afterSeq, this.#parts.page.firstSeq - 1);
  }

  /** 0 until the reader has caught up once. */
  get lagBytes(): number {
    return this.#lag.bytes;
  }

  get isExhausted(): boolean {
    return this.#parts.page.isFinished && this.#cursor >= this.#parts.tail.headSeq;
  }

  /** Aborts when the log ends the subscription, for readers that wait for something else. */
  get ended(): AbortSignal {
    return this.#ended.signal;
  }

  /** An empty array means the end. One call at a time. Closed after a rejection. */
  async take(): Promise<readonly LogItem[]> {
    if (this.#isReading)
      throw new AgentError('already_reading', 'take() is already pending; a subscription has one reader.');
    this.#isReading = true;
    try {
      return await this.#next();
    } catch (error) {
      this.close();
      throw error;
    } finally {
      this.#isReading = false;
    }
  }

  /** A pending `take()` returns an empty array. */
  close(): void {
    if (this.#isOver) return;
    this.#isOver = true;
    this.#lag.stop();
    this.#parts.tail.unfollow(this.#onTail);
    this.#parts.onClose(this);
    this.#wake?.();
  }

  [Symbol.dispose](): void {
    this.close();
  }

  async #next(): Promise<readonly LogItem[]> {
    while (!this.#isOver) {
      const items = this.#ready();
      if (items.length > 0) return items;
      if (this.#cursor < this.#parts.tail.headSeq) await this.#readOn();
      else {
        await new Promise<void>((resolve) => {
          this.#wake = resolve;
        });
      }
    }
    return [];
  }

  async #readOn(): Promise<void> {
    const { tail, readAfter } = this.#parts;
    const durableSeq = tail.headSeq;
    try {
      const page = await readAfter(this.#cursor);
      // The store has lost acknowledged events, as a Redis without fsync may.
      if (page.lastSeq < durableSeq) throw damaged(`ends at event ${page.lastSeq} after it had reached ${durableSeq}`);
      this.#page = page;
    } catch (error) {
      if (!AgentError.is(error) || error.code !== 'session_not_found') throw error;
      tail.ended('deleted');
    }
  }

  #ready(): LogItem[] {
    const { tail } = this.#parts;
    const end = this.#cut ?? (tail.end === 'finished' ? undefined : tail.end);
    if (end !== undefined) return this.#finish(end);
    const items = this.#page === undefined ? this.#fromTail() : this.#fromPage(this.#page);
    this.#page = undefined;
    if (this.#cursor < tail.headSeq) return [...this.#lag.warning(), ...items];
    if (this.#lag.caughtUp()) items.push({ kind: 'caught_up', seq: this.#cursor });
    return tail.end === undefined ? items : [...items, ...this.#finish(tail.end)];
  }

  #fromTail(): LogItem[] {
    const { tail, limits } = this.#parts;
    const part = tail.after(this.#cursor, limits.maxTakeBytes);
    if (part === undefined) return [];
    this.#lag.tookFromTail(part.endBytes);
    return this.#toItems(part.events);
  }

  #fromPage({ events, firstSeq, lastSeq, isFinished }: EventPage): LogItem[] {
    const { tail } = this.#parts;
    tail.reached(lastSeq);
    if (isFinished) tail.ended('finished');
    const items: LogItem[] = [];
    if (firstSeq > this.#cursor + 1) {
      items.push({ kind: 'gap', fromSeq: this.#cursor + 1, toSeq: firstSeq - 1 });
      this.#cursor = firstSeq - 1;
    }
    if (events.length === 0 && this.#cursor < lastSeq) throw damaged(`has no event ${this.#cursor + 1}`);
    this.#lag.tookFromStore(events);
    return [...items, ...this.#toItems(events)];
  }

  #toItems(events: readonly LoggedEvent[]): LogItem[] {
    const { threadId, metrics } = this.#parts;
    const items: LogItem[] = [];
    for (const event of events) {
      if (event.seq !== this.#cursor + 1) throw damaged(`has no event ${this.#cursor + 1}`);
      this.#cursor = event.seq;
      if (threadId === undefined || event.threadId === threadId) items.push({ kind: 'event', event });
    }
    metrics?.deliveries.inc(items.length);
    return items;
  }

  #finish(reason: SubscriptionEnd): LogItem[] {
    this.close();
    return [{ kind: 'end', reason, seq: this.#cursor }];
  }

  #tailMoved(): void {
    if (this.#wake !== undefined) {
      const wake = this.#wake;
      this.#wake = undefined;
      wake();
    }
    const { end } = this.#parts.tail;
    if (end !== undefined && end !== 'finished') this.#ended.abort(end);
    this.#lag.tailMoved();
  }

  #cutOff(): void {
    this.#cut = 'too_slow';
    this.#parts.metrics?.readersCut.inc();
    this.#ended.abort('too_slow');
  }
}

function damaged(what: string): AgentError {
  return new AgentError('storage_damaged', `The log of the session ${what}.`);
}
