import { isAbsolute, join } from 'node:path';
import { AgentError } from '@qwen/protocol';
import type { EventLog, EventLogOptions } from '../log/event-log.js';
import { openEventLog } from '../log/open-event-log.js';
import type { SessionStore } from './session-store.js';

export interface OpenedStores {
  readonly store: SessionStore;
  readonly log: EventLog;
}

/**
 * Opens sessions and events at one place: an absolute folder, which is made, or `memory:`. The caller closes both.
 * Errors: `usage` for another place; `storage_busy` when another server has the folder; those of the stores.
 */
export async function openStores(place: string, options: EventLogOptions = {}): Promise<OpenedStores> {
  if (place === 'memory:') {
    const { MemorySessionStore } = await import('./memory-session-store.js');
    return { store: new MemorySessionStore(), log: await openEventLog(place, options) };
  }
  if (!isAbsolute(place)) {
    throw new AgentError(
      'usage',
      `Sessions are kept in a folder, given by its absolute path, or in memory: not ${place}`,
    );
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
