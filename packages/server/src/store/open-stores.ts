import { isAbsolute, join } from 'node:path';
import { AgentError } from '@qwen/protocol';
import type { EventLogOptions } from '../log/event-log.js';
import { openEventLog } from '../log/open-event-log.js';
import type { OpenedStores } from './opened-stores.js';

/**
 * Opens sessions and events at one place: an absolute folder, which is made, `redis://…` or `rediss://…`, or `memory:`. The
 * caller closes both. Errors: `usage` for another place, or a Redis that throws away what it was given; `storage_busy`
 * when another server has the folder; those of the stores.
 */
export async function openStores(place: string, options: EventLogOptions = {}): Promise<OpenedStores> {
  if (place === 'memory:') {
    const { MemorySessionStore } = await import('./memory-session-store.js');
    return { store: new MemorySessionStore(), log: await openEventLog(place, options) };
  }
  if (/^rediss?:\/\//.test(place))
    return (await import('./redis/open-redis-stores.js')).openRedisStores(place, options);
  if (!isAbsolute(place)) {
    const places = 'in a folder, given by its absolute path, at redis://… or rediss://…, or in memory:';
    throw new AgentError('usage', `Sessions are kept ${places} and not at ${withoutPassword(place)}`);
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
