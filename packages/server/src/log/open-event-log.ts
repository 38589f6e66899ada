import { isAbsolute } from 'node:path';
import { AgentError } from '@qwen/protocol';
import type { EventLog } from './event-log.js';
import type { EventStore } from './event-store.js';
import { StoredEventLog, type StoredLogOptions } from './stored-event-log.js';

/**
 * Opens an absolute path (SQLite), `redis://…`, `rediss://…` or `memory:`. The caller closes it. Errors: `usage`;
 * those of the store.
 */
export async function openEventLog(place: string, options: StoredLogOptions = {}): Promise<EventLog> {
  return new StoredEventLog(await openStore(place), options);
}

async function openStore(place: string): Promise<EventStore> {
  if (/^rediss?:\/\//.test(place)) return (await import('./redis/redis-store.js')).RedisStore.open({ url: place });
  if (place === 'memory:') return new (await import('./memory-store.js')).MemoryStore();
  if (isAbsolute(place)) return (await import('./sqlite/sqlite-store.js')).SqliteStore.open(place);
  throw new AgentError('usage', 'Invalid event log location. Use an absolute path, redis://…, rediss://… or memory:.');
}
