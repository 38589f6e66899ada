import { randomUUID } from 'node:crypto';
import { setTimeout as delay } from 'node:timers/promises';
import { AgentError } from '@qwen/protocol';
import type { Redis } from 'ioredis';
import { openRedis } from '../../redis/open-redis.js';
import { toRedisError } from '../../redis/redis-error.js';
import { type RedisScript, runScript } from '../../redis/redis-script.js';
import { ReplicaBarrier } from '../../redis/replica-barrier.js';
import type {
  AppendOutcome,
  EventPage,
  EventRange,
  EventStore,
  Retention,
  SessionAppend,
  SessionIdPage,
  StoreListener,
} from '../event-store.js';
import { eventBytes } from '../logged-event.js';
import { RedisKeys } from './keys.js';
import { parsePage, parseSeqs, refusalOf } from './replies.js';
import * as scripts from './scripts.js';
import { StreamWatcher } from './stream-watcher.js';

export interface RedisStoreOptions {
  readonly url: string;
  /** Default `qwen:log:`. */
  readonly prefix?: string | undefined;
  /** The caller closes it. Default: none. */
  readonly barrier?: Pick<ReplicaBarrier, 'pass'> | undefined;
}

/** How long the holder of a session retries an append: about as long as it may hold the session without Redis. */
const PATIENCE_MS = 11_000;
const RETRY_MS = 250;

/** Any number of processes. As durable as Redis. */
export class RedisStore implements EventStore {
  readonly #redis: Redis;
  readonly #keys: RedisKeys;
  readonly #barrier: Pick<ReplicaBarrier, 'pass'>;
  readonly #watcher: StreamWatcher;
  /** A resent step of a writer is applied once. */
  readonly #writer = randomUUID();
  #steps = 0;
  #isClosed = false;

  private constructor(redis: Redis, prefix: string, barrier: Pick<ReplicaBarrier, 'pass'>) {
    this.#redis = redis;
    this.#keys = new RedisKeys(prefix);
    this.#barrier = barrier;
    this.#watcher = new StreamWatcher(redis, this.#keys, barrier);
  }

  /** Errors: `storage_unreachable`, `storage_unwritable`. */
  static async open({ url, prefix = 'qwen:log:', barrier }: RedisStoreOptions): Promise<RedisStore> {
    const redis = await openRedis(url);
    return new RedisStore(redis, prefix, barrier ?? new ReplicaBarrier({ redis, replicas: 0 }));
  }

  async create(sessionId: string): Promise<void> {
    // First: `list` skips ids without a session.
    await this.#guard(() => this.#redis.zadd(this.#keys.sessions, 0, sessionId));
    const isNew = await this.#run(scripts.CREATE, sessionId);
    if (isNew === 0) throw new AgentError('session_exists', `Session ${sessionId} already exists.`);
  }

  async append(batch: readonly SessionAppend[]): Promise<readonly AppendOutcome[]> {
    return Promise.all(
      batch.map(async ({ sessionId, events, fence = '' }) => {
        this.#steps += 1;
        const fields = events.flatMap((event) => {
          const { type, data, eventId = '', threadId = '' } = event;
          return [type, data, eventId, threadId, eventBytes(event)];
        });
        try {
          const args = [this.#writer, this.#steps, Date.now(), fence, ...fields];
          const seqs = parseSeqs(await this.#append(sessionId, args, fence === '' ? 0 : PATIENCE_MS));
          return seqs.map((seq) => ({ seq: Math.abs(seq), isRepeat: seq < 0 }));
        } catch (error) {
          return AgentError.from(error);
        }
      }),
    );
  }

  /** A resent step is applied once. */
  async #append(sessionId: string, args: readonly (string | number)[], patienceMs: number): Promise<unknown> {
    const givesUpAt = performance.now() + patienceMs;
    for (;;) {
      try {
        return await this.#run(scripts.APPEND, sessionId, args);
      } catch (thrown) {
        const { code } = AgentError.from(thrown);
        if (code !== 'storage_unreachable' || this.#isClosed || performance.now() > givesUpAt) throw thrown;
        await delay(RETRY_MS);
      }
    }
  }

  async read({ sessionId, afterSeq, beforeSeq, limit, maxBytes }: EventRange): Promise<EventPage> {
    return parsePage(await this.#run(scripts.READ, sessionId, [afterSeq, beforeSeq ?? '', limit, maxBytes]));
  }

  async seqOf(sessionId: string, eventId: string): Promise<number | undefined> {
    const seq = Number(await this.#run(scripts.SEQ_OF, sessionId, [eventId]));
    return seq === 0 ? undefined : seq;
  }

  async evict(sessionId: string, { maxEvents, maxBytes, maxAgeMs }: Retention): Promise<number> {
    const oldestMs = maxAgeMs === undefined ? '' : Date.now() - maxAgeMs;
    return Number(await this.#run(scripts.EVICT, sessionId, [maxEvents ?? '', maxBytes ?? '', oldestMs]));
  }

  async finish(sessionId: string): Promise<void> {
    await this.#run(scripts.FINISH, sessionId);
  }

  async delete(sessionId: string): Promise<void> {
    await this.#run(scripts.DELETE, sessionId);
    await this.#guard(() => this.#redis.zrem(this.#keys.sessions, sessionId));
  }

  async list({ afterId, limit }: { readonly afterId: string; readonly limit: number }): Promise<SessionIdPage> {
    const from = afterId === '' ? '-' : `(${afterId}`;
    return this.#guard(async () => {
      const ids = await this.#redis.zrange(this.#keys.sessions, from, '+', 'BYLEX', 'LIMIT', 0, limit + 1);
      const shown = ids.slice(0, limit);
      const exist = await Promise.all(shown.map((id) => this.#redis.exists(this.#keys.meta(id))));
      return { sessionIds: shown.filter((_, index) => exist[index] === 1), hasMore: ids.length > limit };
    });
  }

  watch(sessionId: string, listener: StoreListener): () => void {
    return this.#watcher.watch(sessionId, listener);
  }

  async close(): Promise<void> {
    this.#isClosed = true;
    await this.#watcher.close();
    // Rejects commands that wait for a connection.
    this.#redis.disconnect();
  }

  async #run(script: RedisScript, sessionId: string, args: readonly (string | number)[] = []): Promise<unknown> {
    const reply = await this.#guard(() =>
      runScript(this.#redis, script, { keys: this.#keys.ofSession(sessionId), args }),
    );
    await this.#barrier.pass();
    const refusal = refusalOf(reply, sessionId);
    if (refusal !== undefined) throw refusal;
    return reply;
  }

  async #guard<Result>(work: () => Promise<Result>): Promise<Result> {
    try {
      return await work();
    } catch (error) {
      throw toRedisError(error);
    }
  }
}
