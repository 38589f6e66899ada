import { AgentError } from '@qwen/protocol';
import { AgeSweep, sweepIntervalMs } from './age-sweep.js';
import { AppendBatcher } from './append-batcher.js';
import { checkEvents, checkSessionId } from './check-input.js';
import type { AppendOptions, AttachOptions, EventLog, EventLogOptions, ReadOptions } from './event-log.js';
import type { EventPage, EventStore, Retention, SessionIdPage } from './event-store.js';
import { EvictionCounter } from './eviction-counter.js';
import { DEFAULT_LOG_LIMITS, type LogLimits } from './log-limits.js';
import { LogSubscription } from './log-subscription.js';
import type { AppendReceipt, NewEvent } from './logged-event.js';
import { TailRegistry } from './tail-registry.js';

const MAX_PAGE_EVENTS = 1000;
const MAX_PAGE_BYTES = 1024 * 1024;

export class StoredEventLog implements EventLog {
  readonly #store: EventStore;
  readonly #limits: LogLimits;
  readonly #retention: Retention;
  readonly #batcher: AppendBatcher;
  readonly #tails: TailRegistry;
  readonly #evictions: EvictionCounter;
  readonly #sweep: AgeSweep | undefined;
  #closing: Promise<void> | undefined;

  constructor(store: EventStore, options: EventLogOptions = {}) {
    this.#store = store;
    this.#limits = { ...DEFAULT_LOG_LIMITS, ...options.limits };
    this.#retention = options.retention ?? {};
    this.#batcher = new AppendBatcher((batch) => store.append(batch), this.#limits.maxPendingBytes);
    this.#tails = new TailRegistry(store, this.#limits.maxLagBytes);
    this.#evictions = new EvictionCounter(this.#retention);
    const { maxAgeMs } = this.#retention;
    if (maxAgeMs !== undefined) this.#sweep = new AgeSweep(sweepIntervalMs(maxAgeMs), () => this.#evictAll());
  }

  async create(sessionId: string): Promise<void> {
    this.#check(sessionId);
    await this.#store.create(sessionId);
  }

  async append(
    sessionId: string,
    events: readonly NewEvent[],
    { fence, writer }: AppendOptions = {},
  ): Promise<readonly AppendReceipt[]> {
    this.#check(sessionId);
    checkEvents(events);
    if (events.length === 0) return [];
    const receipts = await this.#batcher.add({ sessionId, events, fence }, writer);
    // The append has succeeded.
    if (this.#evictions.added(sessionId, events)) await this.evict(sessionId).catch(() => undefined);
    return receipts;
  }

  async read(sessionId: string, options: ReadOptions = {}): Promise<EventPage> {
    this.#check(sessionId);
    const { afterSeq = 0, beforeSeq, limit = MAX_PAGE_EVENTS } = options;
    return this.#store.read({
      sessionId,
      afterSeq,
      beforeSeq,
      limit: Math.min(limit, MAX_PAGE_EVENTS),
      maxBytes: MAX_PAGE_BYTES,
    });
  }

  async seqOf(sessionId: string, eventId: string): Promise<number | undefined> {
    this.#check(sessionId);
    return this.#store.seqOf(sessionId, eventId);
  }

  async attach(sessionId: string, { afterSeq = 0, threadId }: AttachOptions = {}): Promise<LogSubscription> {
    this.#check(sessionId);
    // Before the read, so that the tail or the page has each event.
    const { tail, holders, release } = this.#tails.open(sessionId);
    try {
      if (holders > this.#limits.maxSubscribers) {
        throw new AgentError('overloaded', `The session already has ${holders - 1} subscribers.`);
      }
      const wanted = afterSeq === 'newest' ? Number.MAX_SAFE_INTEGER : toCursor(afterSeq);
      const readAfter = (seq: number) => this.#readTake(sessionId, seq);
      const page = await readAfter(wanted);
      this.#check(sessionId);
      const cursor = afterSeq === 'newest' ? page.lastSeq : wanted;
      if (cursor > page.lastSeq) {
        throw new AgentError('invalid_cursor', `The session has not reached event ${cursor}.`, {
          data: { lastSeq: page.lastSeq },
        });
      }
      return new LogSubscription({
        tail,
        page,
        afterSeq: cursor,
        threadId,
        limits: this.#limits,
        readAfter,
        onClose: release,
      });
    } catch (error) {
      release();
      throw error;
    }
  }

  async finish(sessionId: string): Promise<void> {
    this.#check(sessionId);
    await this.#batcher.settled();
    await this.#store.finish(sessionId);
  }

  async delete(sessionId: string): Promise<void> {
    this.#check(sessionId);
    await this.#store.delete(sessionId);
    this.#evictions.forget(sessionId);
  }

  async list({
    afterId = '',
    limit = 1000,
  }: {
    readonly afterId?: string;
    readonly limit?: number;
  } = {}): Promise<SessionIdPage> {
    this.#checkOpen();
    return this.#store.list({ afterId, limit: Math.min(limit, MAX_PAGE_EVENTS) });
  }

  async evict(sessionId: string): Promise<number> {
    this.#check(sessionId);
    return this.#store.evict(sessionId, this.#retention);
  }

  close(): Promise<void> {
    this.#closing ??= this.#close();
    return this.#closing;
  }

  async #close(): Promise<void> {
    await this.#sweep?.close();
    await this.#batcher.settled();
    this.#tails.close();
    await this.#store.close();
  }

  /** The next round retries failures. */
  async #evictAll(): Promise<void> {
    try {
      let afterId: string | undefined = '';
      while (afterId !== undefined && this.#closing === undefined) {
        const page: SessionIdPage = await this.#store.list({ afterId, limit: MAX_PAGE_EVENTS });
        for (const id of page.sessionIds) {
          if (this.#closing !== undefined) return;
          // It may have been deleted.
          await this.#store.evict(id, this.#retention).catch(() => undefined);
        }
        afterId = page.hasMore ? page.sessionIds.at(-1) : undefined;
      }
    } catch {
      // Callers get the same error.
    }
  }

  #readTake(sessionId: string, afterSeq: number): Promise<EventPage> {
    return this.#store.read({ sessionId, afterSeq, limit: MAX_PAGE_EVENTS, maxBytes: this.#limits.maxTakeBytes });
  }

  #check(sessionId: string): void {
    this.#checkOpen();
    checkSessionId(sessionId);
  }

  #checkOpen(): void {
    if (this.#closing !== undefined) throw new AgentError('channel_closed', 'The event log is closed.');
  }
}

function toCursor(seq: number): number {
  if (Number.isSafeInteger(seq) && seq >= 0) return seq;
  throw new AgentError('invalid_cursor', `${seq} is not a valid event number.`);
}
