import { AgentError } from '@qwen/protocol';
import type { Redis } from 'ioredis';
import { toRedisError } from './redis-error.js';

/**
 * Returns a warning for each setting that weakens durability. Errors: `usage` if Redis may evict keys;
 * `storage_unreachable`, `storage_unwritable`.
 */
export async function readRedisSettings(redis: Redis): Promise<readonly string[]> {
  let settings: ReadonlyMap<string, string>;
  try {
    settings = await readAll(redis);
  } catch (thrown) {
    const error = toRedisError(thrown);
    if (error.code === 'storage_unreachable') throw error;
    // Hosted services often disable CONFIG.
    return [
      'cannot read the settings of Redis; required are appendonly yes, appendfsync always, maxmemory-policy noeviction',
    ];
  }
  const policy = settings.get('maxmemory-policy') ?? 'noeviction';
  if (policy.startsWith('allkeys-')) {
    const message = `Redis may evict sessions (maxmemory-policy ${policy}). Set it to noeviction.`;
    throw new AgentError('usage', message);
  }
  const isLogged = settings.get('appendonly') === 'yes';
  const fsync = settings.get('appendfsync');
  return [
    ...(isLogged ? [] : ['Redis does not persist data (appendonly no): sessions may be lost when it stops']),
    ...(isLogged && fsync !== 'always'
      ? [`Redis does not sync each write (appendfsync ${fsync}): a power loss may lose the last second`]
      : []),
  ];
}

async function readAll(redis: Redis): Promise<ReadonlyMap<string, string>> {
  const names = ['maxmemory-policy', 'appendonly', 'appendfsync'];
  const replies = await Promise.all(names.map((name) => redis.config('GET', name)));
  return new Map(replies.flatMap((reply) => (Array.isArray(reply) ? [[String(reply[0]), String(reply[1])]] : [])));
}
