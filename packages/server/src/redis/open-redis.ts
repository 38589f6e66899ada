import { AgentError } from '@qwen/protocol';
import { Redis } from 'ioredis';
import { toRedisError } from './redis-error.js';

const CONNECT_TIMEOUT_MS = 3000;
/** A connection on which a command gets no answer is replaced. */
const SOCKET_TIMEOUT_MS = 3000;
/** Commands fail after this time, with or without a connection. */
const COMMAND_TIMEOUT_MS = 4500;

export interface ConnectRetries {
  /**
   * Reconnection attempts that a command waits for before it fails, so that a restarting Redis goes unnoticed. Default
   * 8, about 4 s; null waits until the command times out.
   */
  readonly tries?: number | null | undefined;
}

/**
 * Connects, and reconnects automatically. The caller disconnects. Errors: `storage_unreachable` with host and port,
 * but without the password.
 */
export async function openRedis(url: string, { tries = 8 }: ConnectRetries = {}): Promise<Redis> {
  const redis = new Redis(url, {
    lazyConnect: true,
    connectTimeout: CONNECT_TIMEOUT_MS,
    socketTimeout: SOCKET_TIMEOUT_MS,
    commandTimeout: COMMAND_TIMEOUT_MS,
    maxRetriesPerRequest: tries,
    retryStrategy: (times: number) => Math.min(times * 100, 1000),
    // After a failover, the address may lead to another server: reconnect and send the command again.
    reconnectOnError: ({ message }) => (message.startsWith('READONLY ') ? 2 : false),
  });
  let reason: unknown;
  // Later errors reject the commands that they affect.
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
    throw new AgentError(code, `Could not connect to Redis at ${host}:${port}. ${message}`, { cause: thrown });
  }
}
