import { AgentError } from '@qwen/protocol';
import type { Redis } from 'ioredis';
import { toRedisError } from './redis-error.js';

/**
 * Looks whether Redis keeps what it is given. Gives a sentence for each setting that makes a promise weaker. Errors:
 * `usage` when it may throw away any key; `storage_unreachable`, `storage_unwritable`.
 */
export async function readRedisSettings(redis: Redis): Promise<readonly string[]> {
  let settings: ReadonlyMap<string, string>;
  try {
    settings = await readAll(redis);
  } catch (thrown) {
    const error = toRedisError(thrown);
    if (error.code === 'storage_unreachable') throw error;
    // Hosted ones do not let everybody look.
    return [
      'Redis does not say how it is set: it should have appendonly yes, appendfsync always, maxmemory-policy noeviction',
    ];
  }
  const policy = settings.get('maxmemory-policy') ?? 'noeviction';
  if (policy.startsWith('allkeys-')) {
    const message = `Redis throws sessions away when its memory is full (maxmemory-policy ${policy}): set it to noeviction.`;
    throw new AgentError('usage', message);
  }
  const isLogged = settings.get('appendonly') === 'yes';
  const fsync = settings.get('appendfsync');
  return [
    ...(isLogged ? [] : ['Redis writes nothing down (appendonly no): when it ends, sessions may be gone']),
    ...(isLogged && fsync !== 'always'
      ? [`Redis does not sync what it acknowledges (appendfsync ${fsync}): the last second may be lost with power`]
      : []),
  ];
}

async function readAll(redis: Redis): Promise<ReadonlyMap<string, string>> {
  const names = ['maxmemory-policy', 'appendonly', 'appendfsync'];
  const replies = await Promise.all(names.map((name) => redis.config('GET', name)));
  return new Map(replies.flatMap((reply) => (Array.isArray(reply) ? [[String(reply[0]), String(reply[1])]] : [])));
}
