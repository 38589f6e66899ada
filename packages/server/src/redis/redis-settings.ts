import { AgentError } from '@qwen/protocol';
import type { Redis } from 'ioredis';
import { toRedisError } from './redis-error.js';

export interface RedisSettings {
  /** One for each setting that weakens durability. */
  readonly warnings: readonly string[];
  /** How many replicas must have a write before it is acknowledged; the setting `min-replicas-to-write`. */
  readonly replicas: number;
}

const REQUIRED = 'required are appendonly yes, appendfsync always, maxmemory-policy noeviction';

/** Errors: `usage` if Redis may evict keys; `storage_unreachable`, `storage_unwritable`. */
export async function readRedisSettings(redis: Redis): Promise<RedisSettings> {
  let settings: ReadonlyMap<string, string>;
  try {
    settings = await readAll(redis);
  } catch (thrown) {
    const error = toRedisError(thrown);
    if (error.code === 'storage_unreachable') throw error;
    // Hosted services often disable CONFIG. INFO has this member only if the setting is above 0.
    const replicas = /^min_slaves_good_slaves:/m.test(await info(redis)) ? 1 : 0;
    return { replicas, warnings: [`cannot read the settings of Redis; ${REQUIRED}`] };
  }
  const policy = settings.get('maxmemory-policy') ?? 'noeviction';
  if (policy.startsWith('allkeys-')) {
    const message = `Redis may evict sessions (maxmemory-policy ${policy}). Set it to noeviction.`;
    throw new AgentError('usage', message);
  }
  const isLogged = settings.get('appendonly') === 'yes';
  const fsync = settings.get('appendfsync');
  const replicas = Number(settings.get('min-replicas-to-write') ?? 0);
  const hasReplicas = /^connected_slaves:[1-9]/m.test(await info(redis));
  return {
    replicas,
    warnings: [
      ...(isLogged ? [] : ['Redis does not persist data (appendonly no): sessions may be lost when it stops']),
      ...(isLogged && fsync !== 'always'
        ? [`Redis does not sync each write (appendfsync ${fsync}): a power loss may lose the last second`]
        : []),
      ...(hasReplicas && replicas === 0
        ? [
            'Redis has replicas but does not wait for them (min-replicas-to-write 0): a failover may lose acknowledged data and start two agents in one workspace',
          ]
        : []),
    ],
  };
}

async function readAll(redis: Redis): Promise<ReadonlyMap<string, string>> {
  const names = ['maxmemory-policy', 'appendonly', 'appendfsync', 'min-replicas-to-write'];
  const replies = await Promise.all(names.map((name) => redis.config('GET', name)));
  return new Map(replies.flatMap((reply) => (Array.isArray(reply) ? [[String(reply[0]), String(reply[1])]] : [])));
}

/** Empty if Redis hides it. */
async function info(redis: Redis): Promise<string> {
  try {
    return await redis.info('replication');
  } catch (thrown) {
    const error = toRedisError(thrown);
    if (error.code === 'storage_unreachable') throw error;
    return '';
  }
}
