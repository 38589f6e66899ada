import type { Redis } from 'ioredis';
import type { EventLog } from '../log/event-log.js';
import type { ConversationStore } from './redis/conversation-store.js';
import type { SessionKeyspace } from './redis/session-keyspace.js';
import type { SessionStore } from './session-store.js';

/** The caller closes the store and the log. */
export interface OpenedStores {
  readonly store: SessionStore;
  readonly log: EventLog;
  /** Undefined for stores of a single process. */
  readonly shared?: SharedRedis | undefined;
  /** Weak durability settings, for the operator. Without secrets. */
  readonly warnings?: readonly string[] | undefined;
}

/** What the processes of a cluster share besides sessions and events. */
export interface SharedRedis {
  /** Closed with the session store. */
  readonly keyspace: SessionKeyspace;
  readonly conversations: ConversationStore;
  /** Publishes; closed with the session store. */
  readonly redis: Redis;
  /** Only subscribes; its user closes it. */
  readonly subscriber: Redis;
}
