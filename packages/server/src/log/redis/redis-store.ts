import { randomUUID } from 'node:crypto';
import { AgentError } from '@qwen/protocol';
import type { Redis } from 'ioredis';
import { openRedis } from '../../redis/open-redis.js';
import { toRedisError } from '../../redis/redis-error.js';
import { type RedisScript, runScript } from '../../redis/redis-script.js';
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
}

/** Any number of processes. As durable as Redis. */
export class RedisStore implements EventStore {
  readonly #redis: Redis;
  readonly #keys: RedisKeys;
  readonly #watcher: StreamWatcher;
  /** A resent step of a writer is applied once. */
  readonly #writer = randomUUID();
  #steps = 0;

  private constructor(redis: Redis, prefix: string) {
    this.#redis = redis;
    this.#keys = new RedisKeys(prefix);
    this.#watcher = new StreamWatcher(redis, this.#keys);
  }

  /** Errors: `storage_unreachable`, `storage_unwritable`. */
  static async open({ url, prefix = 'qwen:log:' }: RedisStoreOptions): Promise<RedisStore> {
    return new RedisStore(await openRedis(url, { tries: 20 }), prefix);
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
          const seqs = parseSeqs(await this.#run(scripts.APPEND, sessionId, args));
          return seqs.map((seq) => ({ seq: Math.abs(seq), isRepeat: seq < 0 }));
        } catch (error) {
          return AgentError.from(error);
        }
      }),
    );
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
    await this.#watcher.close();
    // Rejects commands that wait for a connection.
    this.#redis.disconnect();
  }

  async #run(script: RedisScript, sessionId: string, args: readonly (string | number)[] = []): Promise<unknown> {
    const reply = await this.#guard(() =>
      runScript(this.#redis, script, { keys: this.#keys.ofSession(sessionId), args }),
    );
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
