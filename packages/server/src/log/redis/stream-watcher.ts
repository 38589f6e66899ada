import { randomUUID } from 'node:crypto';
import { setTimeout as delay } from 'node:timers/promises';
import type { Redis } from 'ioredis';
import type { ReplicaBarrier } from '../../redis/replica-barrier.js';
import type { StoreListener } from '../event-store.js';
import type { RedisKeys } from './keys.js';
import { isEventEntry, parseStreams, type StreamEntry, toEvent } from './replies.js';

interface Watched {
  readonly listeners: Set<StoreListener>;
  /** Undefined until the first refresh. */
  lastId: string | undefined;
}

/** Also the maximum delay until a silent deletion is noticed. */
const BLOCK_MS = 5000;
const MAX_ENTRIES = 1000;
const AFTER_ERROR_MS = 500;

/**
 * Follows all watched sessions with one blocking read from their last positions, so a broken connection loses
 * nothing. An entry in the wake stream ends the read when a session is added.
 */
export class StreamWatcher {
  readonly #commands: Redis;
  readonly #blocking: Redis;
  readonly #keys: RedisKeys;
  readonly #barrier: Pick<ReplicaBarrier, 'pass'>;
  readonly #wakeKey: string;
  readonly #watched = new Map<string, Watched>();
  #wakeId = '0-0';
  #isWoken = false;
  #isClosed = false;
  #running: Promise<void> | undefined;
  #refreshedAtMs = 0;

  constructor(commands: Redis, keys: RedisKeys, barrier: Pick<ReplicaBarrier, 'pass'>) {
    this.#commands = commands;
    this.#barrier = barrier;
    this.#keys = keys;
    this.#wakeKey = keys.wake(randomUUID());
    // Detects dead connections.
    this.#blocking = commands.duplicate({
      lazyConnect: true,
      maxRetriesPerRequest: null,
      socketTimeout: 3 * BLOCK_MS,
      commandTimeout: undefined,
    });
    // ioredis reconnects; the pending read rejects.
    this.#blocking.on('error', () => undefined);
  }

  watch(sessionId: string, listener: StoreListener): () => void {
    const watched = this.#watched.get(sessionId) ?? { listeners: new Set(), lastId: undefined };
    watched.listeners.add(listener);
    if (watched.lastId !== undefined) listener.reached(seqOfId(watched.lastId));
    if (!this.#watched.has(sessionId)) {
      this.#watched.set(sessionId, watched);
      this.#wake();
    }
    return () => {
      watched.listeners.delete(listener);
      if (watched.listeners.size === 0 && this.#watched.get(sessionId) === watched) this.#watched.delete(sessionId);
    };
  }

  async close(): Promise<void> {
    this.#isClosed = true;
    this.#watched.clear();
    this.#blocking.disconnect();
    await this.#running;
  }

  #wake(): void {
    if (this.#isWoken || this.#isClosed) return;
    this.#isWoken = true;
    if (this.#running === undefined) this.#running = this.#run();
    else {
      const waking = this.#commands.pipeline();
      waking
        .xadd(this.#wakeKey, 'MAXLEN', 1, '*', 'wake', 1)
        .pexpire(this.#wakeKey, 12 * BLOCK_MS)
        .exec()
        .catch(() => undefined);
    }
  }

  /** Never rejects. */
  async #run(): Promise<void> {
    while (this.#watched.size > 0) {
      try {
        this.#isWoken = false;
        await this.#refresh();
        await this.#read();
      } catch {
        if (this.#isClosed) break;
        await delay(AFTER_ERROR_MS, undefined, { ref: false });
      }
    }
    this.#running = undefined;
    this.#isWoken = false;
    if (!this.#isClosed && this.#watched.size > 0) this.#running = this.#run();
  }

  /** Also detects deletions without a stream entry. */
  async #refresh(): Promise<void> {
    const isDue = Date.now() - this.#refreshedAtMs > BLOCK_MS;
    if (isDue) this.#refreshedAtMs = Date.now();
    const due = [...this.#watched].filter(([, { lastId }]) => isDue || lastId === undefined);
    await Promise.all(
      due.map(async ([sessionId, watched]) => {
        const [last, finished] = await this.#commands.hmget(this.#keys.meta(sessionId), 'last', 'finished');
        const seq = Number(last);
        watched.lastId ??= `${seq}-0`;
        for (const listener of watched.listeners) {
          if (last === null || last === undefined) listener.ended('deleted');
          else listener.reached(seq);
          if (finished === '1') listener.ended('finished');
        }
      }),
    );
  }

  async #read(): Promise<void> {
    const positions = [...this.#watched].flatMap(([sessionId, { lastId }]) =>
      lastId === undefined ? [] : [{ sessionId, key: this.#keys.events(sessionId), lastId }],
    );
    const keys = [...positions.map(({ key }) => key), this.#wakeKey];
    const ids = [...positions.map(({ lastId }) => lastId), this.#wakeId];
    const reply = await this.#blocking.xread('COUNT', MAX_ENTRIES, 'BLOCK', BLOCK_MS, 'STREAMS', ...keys, ...ids);
    // A reader must not see what a failover may lose.
    if (reply !== null) await this.#barrier.pass();
    const sessionIdByKey = new Map(positions.map(({ key, sessionId }) => [key, sessionId]));
    for (const [key, entries] of parseStreams(reply)) {
      const lastId = entries.at(-1)?.[0];
      const watched = this.#watched.get(sessionIdByKey.get(key) ?? '');
      if (lastId === undefined) continue;
      if (key === this.#wakeKey) this.#wakeId = lastId;
      else if (watched !== undefined) {
        watched.lastId = lastId;
        this.#emit(watched.listeners, entries);
      }
    }
  }

  #emit(listeners: ReadonlySet<StoreListener>, entries: readonly StreamEntry[]): void {
    const events = entries.filter(isEventEntry).map(toEvent);
    const endings = entries.filter((entry) => !isEventEntry(entry));
    for (const listener of listeners) {
      listener.stored(events);
      for (const [, [ending]] of endings) listener.ended(ending === 'deleted' ? 'deleted' : 'finished');
    }
  }
}

function seqOfId(id: string): number {
  return Number.parseInt(id, 10);
}
