import { AgentError } from '@qwen/protocol';
import { Redis } from 'ioredis';
import { toRedisError } from './redis-error.js';

/** How long one try to connect takes at most, in milliseconds. */
const CONNECT_TIMEOUT_MS = 3000;

export interface RedisPatience {
  /**
   * A command waits for so many tries to connect again: a Redis that starts anew is waited for, and one that is gone is
   * said to be gone. What was not sent by then is never sent. Default 8, which is about four seconds; 20 are about
   * sixteen. null: for ever.
   */
  readonly tries?: number | null | undefined;
}

/**
 * Connects to Redis; afterwards the connection is made anew by itself whenever it breaks. The caller disconnects it.
 * Errors: `storage_unreachable`, which names host and port and never the password.
 */
export async function openRedis(url: string, { tries = 8 }: RedisPatience = {}): Promise<Redis> {
  const redis = new Redis(url, {
    lazyConnect: true,
    connectTimeout: CONNECT_TIMEOUT_MS,
    maxRetriesPerRequest: tries,
    retryStrategy: (times: number) => Math.min(times * 100, 1000),
  });
  let reason: unknown;
  // Later errors show in the commands that fail of them.
  redis.on('error', (error: unknown) => {
    reason = error;
  });
  try {
    await redis.connect();
    return redis;
  } catch (thrown) {
    redis.disconnect();
    const { host = 'localhost', port = 6379 } = redis.options;
    const { code, message } = toRedisError(reason ?? thrown);
    throw new AgentError(code, `There is no Redis for us at ${host}:${port}. ${message}`, { cause: thrown });
  }
}
