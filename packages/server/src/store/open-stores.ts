import { isAbsolute, join } from 'node:path';
import { AgentError, systemCodeOf } from '@qwen/protocol';
import { openEventLog } from '../log/open-event-log.js';
import type { StoredLogOptions } from '../log/stored-event-log.js';
import type { OpenedStores } from './opened-stores.js';

/**
 * Opens an absolute folder, `redis://…`, `rediss://…` or `memory:`. The caller closes both stores. Errors: `usage`;
 * `storage_busy` if another server uses the folder; those of the stores.
 */
export async function openStores(place: string, options: StoredLogOptions = {}): Promise<OpenedStores> {
  if (place === 'memory:') {
    const { MemorySessionStore } = await import('./memory-session-store.js');
    return { store: new MemorySessionStore(), log: await openEventLog(place, options) };
  }
  if (/^rediss?:\/\//.test(place)) {
    await checkRedisPackages();
    return (await import('./redis/open-redis-stores.js')).openRedisStores(place, options);
  }
  if (!isAbsolute(place)) {
    const expected = 'Use the absolute path of a folder, redis://…, rediss://… or memory:.';
    throw new AgentError('usage', `Invalid store ${withoutPassword(place)}. ${expected}`);
  }
  const { SqliteSessionStore } = await import('./sqlite/sqlite-session-store.js');
  const store = await SqliteSessionStore.open(join(place, 'sessions.sqlite'));
  try {
    return { store, log: await openEventLog(join(place, 'events.sqlite'), options) };
  } catch (thrown) {
    await store.close();
    throw thrown;
  }
}

function withoutPassword(place: string): string {
  return place.replace(/\/\/[^/]*@/, '//…@');
}

/** Optional packages, which other stores do not need. Errors: `usage`. */
async function checkRedisPackages(): Promise<void> {
  try {
    await Promise.all([import('bullmq'), import('ioredis')]);
  } catch (thrown) {
    if (systemCodeOf(thrown) !== 'ERR_MODULE_NOT_FOUND') throw thrown;
    const message = 'A store in Redis needs the packages bullmq and ioredis. Install them next to @qwen/server.';
    throw new AgentError('usage', message, { cause: thrown });
  }
}
