import type { Redis } from 'ioredis';
import { IS_OLDER_FENCE } from '../../redis/fence.js';
import { leaseLost, toRedisError } from '../../redis/redis-error.js';
import { type RedisScript, redisScript, runScript } from '../../redis/redis-script.js';
import type { ReplicaBarrier } from '../../redis/replica-barrier.js';

export interface ConversationPart {
  readonly sessionId: string;
  readonly fence: string;
  /** Offset of the bytes; 0 replaces everything. */
  readonly at: number;
  readonly bytes: Buffer;
}

/** How long a deleted conversation refuses writes: a process may learn late of the deletion. */
const GONE_MS = 3_600_000;
const LARGEST_FENCE = `${Number.MAX_SAFE_INTEGER}:deleted`;

// KEYS: text, largest fence. ARGV[1]: fence.
const FENCED = `${IS_OLDER_FENCE}
if isOlderFence(ARGV[1], redis.call('GET', KEYS[2])) then return -1 end
redis.call('SET', KEYS[2], ARGV[1])
`;

const OPEN = redisScript(`${FENCED} return redis.call('STRLEN', KEYS[1])`);

/** ARGV: fence, offset, bytes. Returns the new length, or the current one if the offset does not match. */
const WRITE = redisScript(`${FENCED}
local at, length = tonumber(ARGV[2]), redis.call('STRLEN', KEYS[1])
if at == 0 then redis.call('SET', KEYS[1], ARGV[3])
elseif at == length then redis.call('APPEND', KEYS[1], ARGV[3])
elseif length ~= at + #ARGV[3] or redis.call('GETRANGE', KEYS[1], at, -1) ~= ARGV[3] then return length end
return at + #ARGV[3]`);

/**
 * Copies of the agents' session files, as opaque bytes. Errors of all methods: `lease_lost`, `storage_full`,
 * `storage_unwritable`, `storage_unreachable`.
 */
export class ConversationStore {
  readonly #redis: Redis;
  readonly #barrier: Pick<ReplicaBarrier, 'pass'>;
  readonly #prefix: string;

  constructor(redis: Redis, barrier: Pick<ReplicaBarrier, 'pass'>, prefix: string) {
    this.#redis = redis;
    this.#barrier = barrier;
    this.#prefix = prefix;
  }

  /** Returns the length and refuses writes under older leases from now on. */
  async open({ sessionId, fence }: Pick<ConversationPart, 'sessionId' | 'fence'>): Promise<number> {
    return this.#run(OPEN, sessionId, [fence]);
  }

  /** `end` is exclusive. */
  async read(sessionId: string, { start, end }: { readonly start: number; readonly end: number }): Promise<Buffer> {
    try {
      return await this.#redis.getrangeBuffer(this.#textKey(sessionId), start, end - 1);
    } catch (thrown) {
      throw toRedisError(thrown);
    }
  }

  /** Returns the new length; false if the conversation does not end at the offset. */
  async write({ sessionId, fence, at, bytes }: ConversationPart): Promise<number | false> {
    const length = await this.#run(WRITE, sessionId, [fence, at, bytes]);
    return length === at + bytes.length && length;
  }

  async delete(sessionId: string): Promise<void> {
    try {
      await this.#redis.set(this.#fenceKey(sessionId), LARGEST_FENCE, 'PX', GONE_MS);
      await this.#redis.del(this.#textKey(sessionId));
    } catch (thrown) {
      throw toRedisError(thrown);
    }
  }

  async #run(script: RedisScript, sessionId: string, args: readonly (string | number | Buffer)[]): Promise<number> {
    const keys = [this.#textKey(sessionId), this.#fenceKey(sessionId)];
    let reply: unknown;
    try {
      reply = await runScript(this.#redis, script, { keys, args });
    } catch (thrown) {
      throw toRedisError(thrown);
    }
    await this.#barrier.pass();
    if (reply === -1) throw leaseLost(sessionId);
    return Number(reply);
  }

  #textKey(sessionId: string): string {
    return `${this.#prefix}{${sessionId}}:text`;
  }

  #fenceKey(sessionId: string): string {
    return `${this.#prefix}{${sessionId}}:fence`;
  }
}
