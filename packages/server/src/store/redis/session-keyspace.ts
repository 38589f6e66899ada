import { AgentError } from '@qwen/protocol';
import type { Redis } from 'ioredis';
import { leaseLost, toRedisError } from '../../redis/redis-error.js';
import { type RedisArgument, type RedisScript, runScript } from '../../redis/redis-script.js';
import type { ReplicaBarrier } from '../../redis/replica-barrier.js';
import type { UsageRecord } from '../session-record.js';
import { notFound } from '../store-errors.js';

/** All keys share a cluster slot, so that one script can change all of them. */
export class SessionKeys {
  readonly prefix: string;

  constructor(name: string) {
    this.prefix = `{${name}}:`;
  }

  /** Names the slot for scripts. */
  get slot(): string {
    return `${this.prefix}order`;
  }

  rpc(processId: string): string {
    return `${this.prefix}rpc:${processId}`;
  }

  /** Prefix of the keys of the job queue, which are in the same slot. */
  get queuePrefix(): string {
    return this.prefix.slice(0, -1);
  }
}

/** Longer than a day in any case. */
const USAGE_SECONDS = 3 * 86_400;

/** The owner closes it. */
export class SessionKeyspace {
  readonly keys: SessionKeys;
  readonly #redis: Redis;
  readonly #barrier: Pick<ReplicaBarrier, 'pass'> | undefined;
  #isClosed = false;

  constructor(redis: Redis, keys: SessionKeys, barrier?: Pick<ReplicaBarrier, 'pass'>) {
    this.#redis = redis;
    this.keys = keys;
    this.#barrier = barrier;
  }

  /** `sessionId` only appears in errors. */
  async run(script: RedisScript, args: readonly RedisArgument[], sessionId = ''): Promise<unknown> {
    if (this.#isClosed) throw new AgentError('channel_closed', 'The session store is closed.');
    try {
      const { slot, prefix } = this.keys;
      const reply = await runScript(this.#redis, script, { keys: [slot], args: [prefix, ...args] });
      await this.#barrier?.pass();
      if (reply === 'session_not_found') throw notFound(sessionId);
      if (reply === 'lease_lost') throw leaseLost(sessionId);
      return reply;
    } catch (thrown) {
      throw toRedisError(thrown);
    }
  }

  size(name: string): Promise<number> {
    return this.#ask((redis) => redis.zcard(this.keys.prefix + name));
  }

  async probe(): Promise<void> {
    await this.#ask((redis) => redis.set(`${this.keys.prefix}probe`, '1', 'PX', 1000));
    await this.#barrier?.pass();
  }

  async addUsage(name: string, { tokens, usd }: UsageRecord): Promise<void> {
    const key = `${this.keys.prefix}usage:${name}`;
    await this.#ask((redis) =>
      redis.multi().hincrby(key, 'tokens', tokens).hincrbyfloat(key, 'usd', usd).expire(key, USAGE_SECONDS).exec(),
    );
  }

  async usageOf(name: string): Promise<UsageRecord> {
    const { tokens = '0', usd = '0' } = await this.#ask((redis) => redis.hgetall(`${this.keys.prefix}usage:${name}`));
    return { tokens: Number(tokens), usd: Number(usd) };
  }

  async #ask<Reply>(command: (redis: Redis) => Promise<Reply>): Promise<Reply> {
    if (this.#isClosed) throw new AgentError('channel_closed', 'The session store is closed.');
    try {
      return await command(this.#redis);
    } catch (thrown) {
      throw toRedisError(thrown);
    }
  }

  close(): void {
    this.#isClosed = true;
    this.#redis.disconnect();
  }
}
