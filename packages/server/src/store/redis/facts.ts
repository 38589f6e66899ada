import { AgentError } from '@qwen/protocol';
import type { Redis } from 'ioredis';
import { leaseLost, toRedisError } from '../../redis/redis-error.js';
import { type RedisArgument, type RedisScript, runScript } from '../../redis/redis-script.js';
import { notFound } from '../store-errors.js';
import type { FactKeys } from './fact-keys.js';

/** The facts of all sessions in one Redis: one connection, one step at a time. Whoever makes it closes it. */
export class Facts {
  readonly keys: FactKeys;
  readonly #redis: Redis;
  #isClosed = false;

  constructor(redis: Redis, keys: FactKeys) {
    this.#redis = redis;
    this.keys = keys;
  }

  /** Runs a script. `sessionId` is only for what its refusal says. Errors: those of the store. */
  async run(script: RedisScript, args: readonly RedisArgument[], sessionId = ''): Promise<unknown> {
    if (this.#isClosed) throw new AgentError('channel_closed', 'The store of the sessions is closed.');
    try {
      const { slot, prefix } = this.keys;
      const reply = await runScript(this.#redis, script, { keys: [slot], args: [prefix, ...args] });
      if (reply === 'session_not_found') throw notFound(sessionId);
      if (reply === 'lease_lost') throw leaseLost(sessionId);
      return reply;
    } catch (thrown) {
      throw toRedisError(thrown);
    }
  }

  /** How many members a sorted set of ours has. */
  async size(name: string): Promise<number> {
    if (this.#isClosed) throw new AgentError('channel_closed', 'The store of the sessions is closed.');
    try {
      return await this.#redis.zcard(this.keys.prefix + name);
    } catch (thrown) {
      throw toRedisError(thrown);
    }
  }

  close(): void {
    this.#isClosed = true;
    this.#redis.disconnect();
  }
}
