import { isAbsolute } from 'node:path';
import { AgentError } from '@qwen/protocol';
import type { EventLog, EventLogOptions } from './event-log.js';
import type { EventStore } from './event-store.js';
import { StoredEventLog } from './stored-event-log.js';

/**
 * Opens the event log at a place: the absolute path of an SQLite file, `redis://…` or `rediss://…`, or `memory:`. Only
 * the code of that store is loaded. The caller closes the log. Errors: `usage` for any other place; those of the store.
 */
export async function openEventLog(place: string, options: EventLogOptions = {}): Promise<EventLog> {
  return new StoredEventLog(await openStore(place), options);
}

async function openStore(place: string): Promise<EventStore> {
  if (/^rediss?:\/\//.test(place)) return (await import('./redis/redis-store.js')).RedisStore.open({ url: place });
  if (place === 'memory:') return new (await import('./memory-store.js')).MemoryStore();
  if (isAbsolute(place)) return (await import('./sqlite/sqlite-store.js')).SqliteStore.open(place);
  throw new AgentError('usage', 'The event log lives at an absolute path, at redis://… or rediss://…, or in memory:');
}
