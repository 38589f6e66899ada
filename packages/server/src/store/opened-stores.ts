import type { Redis } from 'ioredis';
import type { EventLog } from '../log/event-log.js';
import type { Conversations } from './redis/conversations.js';
import type { Facts } from './redis/facts.js';
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

/** What the processes of a server share beside sessions and events. */
export interface SharedPlace {
  /** Closed with the store of the sessions. */
  readonly facts: Facts;
  readonly conversations: Conversations;
  /** Sends; closed with the store of the sessions. */
  readonly redis: Redis;
  /** Hears, and nothing else; whoever uses it closes it. */
  readonly subscriber: Redis;
}
