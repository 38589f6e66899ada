import type { EventLog } from '../log/event-log.js';
import type { SharedPlace } from './redis/shared-place.js';
import type { SessionStore } from './session-store.js';

/** Where a server keeps everything. Whoever opened it closes both. */
export interface OpenedStores {
  readonly store: SessionStore;
  readonly log: EventLog;
  /** What other processes have too; missing where a store is of one process. */
  readonly shared?: SharedPlace | undefined;
  /** What an operator should know of the place, without secrets. */
  readonly remarks?: readonly string[] | undefined;
}
