import { AgentError } from '@qwen/protocol';
import type { ServerMetrics } from '../metrics/server-metrics.js';
import { AgeSweep, sweepIntervalMs } from './age-sweep.js';
import { AppendBatcher } from './append-batcher.js';
import { checkEvents, checkSessionId } from './check-input.js';
import type { AppendOptions, AttachOptions, EventLog, EventLogOptions, ReadOptions } from './event-log.js';
import type { AppendOutcome, EventPage, EventStore, Retention, SessionAppend, SessionIdPage } from './event-store.js';
import { EvictionCounter } from './eviction-counter.js';
import { DEFAULT_LOG_LIMITS, type LogLimits } from './log-limits.js';
import { LogSubscription } from './log-subscription.js';
import type { AppendReceipt, NewEvent } from './logged-event.js';
import { TailRegistry } from './tail-registry.js';

const MAX_PAGE_EVENTS = 1000;
const MAX_PAGE_BYTES = 1024 * 1024;

export interface StoredLogOptions extends EventLogOptions {
  readonly metrics?: ServerMetrics | undefined;
}

export class StoredEventLog implements EventLog {
  readonly backup: EventLog['backup'];
  readonly #store: EventStore;
  readonly #limits: LogLimits;
  readonly #retention: Retention;
  readonly #batcher: AppendBatcher;
  readonly #tails: TailRegistry;
  readonly #evictions: EvictionCounter;
  readonly #sweep: AgeSweep | undefined;
  readonly #metrics: ServerMetrics | undefined;
  readonly #subscriptions = new Set<LogSubscription>();
  #closing: Promise<void> | undefined;

  constructor(store: EventStore, options: StoredLogOptions = {}) {
    this.#store = store;
    this.backup = store.backup && ((path) => store.backup?.(path) ?? Promise.resolve());
    this.#limits = { ...DEFAULT_LOG_LIMITS, ...options.limits };
    this.#retention = options.retention ?? {};
    this.#metrics = options.metrics;
    this.#batcher = new AppendBatcher((batch) => this.#write(batch), this.#limits.maxPendingBytes);
    this.#tails = new TailRegistry(store, this.#limits.maxLagBytes);
    this.#evictions = new EvictionCounter(this.#retention);
    const { maxAgeMs } = this.#retention;
    if (options.metrics !== undefined) this.#watch(options.metrics);
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
    // Open the tail before the read, so that the tail or the page has each event.
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
      const subscription = new LogSubscription({
        tail,
        page,
        afterSeq: cursor,
        threadId,
        limits: this.#limits,
        readAfter,
        metrics: this.#metrics,
        onClose: (closed) => {
          this.#subscriptions.delete(closed);
          release();
        },
      });
      this.#subscriptions.add(subscription);
      return subscription;
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
    return this.#evict(sessionId);
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
          await this.#evict(id).catch(() => undefined);
        }
        afterId = page.hasMore ? page.sessionIds.at(-1) : undefined;
      }
    } catch {
      // Callers get the same error.
    }
  }

  async #evict(sessionId: string): Promise<number> {
    const before =
      this.#metrics && (await this.#store.read({ sessionId, afterSeq: 0, limit: 1, maxBytes: 1 })).firstSeq;
    const firstSeq = await this.#store.evict(sessionId, this.#retention);
    if (before !== undefined) this.#metrics?.evictions.inc(firstSeq - before);
    return firstSeq;
  }

  async #write(batch: readonly SessionAppend[]): Promise<readonly AppendOutcome[]> {
    const startedAt = performance.now();
    try {
      const outcomes = await this.#store.append(batch);
      this.#metrics?.appendSeconds.observe((performance.now() - startedAt) / 1000);
      this.#metrics?.events.inc(
        outcomes.reduce((sum, outcome) => sum + (AgentError.is(outcome) ? 0 : outcome.length), 0),
      );
      return outcomes;
    } catch (thrown) {
      this.#metrics?.appendFailures.inc();
      throw thrown;
    }
  }

  #watch(metrics: ServerMetrics): void {
    metrics.watch('qwen_event_readers', 'Open readers of session logs.', () => this.#subscriptions.size);
    metrics.watch(
      'qwen_event_append_pending_bytes',
      'Bytes that wait to be written.',
      () => this.#batcher.pendingBytes,
    );
    metrics.watch('qwen_event_reader_lag_bytes', 'Lag of the slowest reader.', () =>
      Math.max(0, ...[...this.#subscriptions].map(({ lagBytes }) => lagBytes)),
    );
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
