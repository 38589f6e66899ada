import type { Redis } from 'ioredis';
import type { EventLog } from '../log/event-log.js';
import type { ConversationStore } from './redis/conversation-store.js';
import type { SessionKeyspace } from './redis/session-keyspace.js';
import type { SessionStore } from './session-store.js';

/** The caller closes the store and the log. */
export interface OpenedStores {
  readonly store: SessionStore;
  readonly log: EventLog;
  readonly shared?: SharedRedis | undefined;
  /** For the operator, without secrets. */
  readonly warnings?: readonly string[] | undefined;
}

export interface SharedRedis {
  /** Closed with the session store. */
  readonly keyspace: SessionKeyspace;
  readonly conversations: ConversationStore;
  /** Closed with the session store. */
  readonly redis: Redis;
  /** Its user closes it. */
  readonly subscriber: Redis;
}
