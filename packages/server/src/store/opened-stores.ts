import type { Redis } from 'ioredis';
import type { EventLog } from '../log/event-log.js';
import type { ConnectRetries } from '../redis/open-redis.js';
import type { ReplicaBarrier } from '../redis/replica-barrier.js';
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
  readonly barrier: ReplicaBarrier;
  /** Opens another connection, which its user closes. */
  readonly connect: (retries: ConnectRetries) => Promise<Redis>;
  /** Closes what neither the stores nor others close. */
  readonly close: () => Promise<void>;
  /** Closed with the session store. */
  readonly keyspace: SessionKeyspace;
  readonly conversations: ConversationStore;
  /** Closed with the session store. */
  readonly redis: Redis;
  /** Its user closes it. */
  readonly subscriber: Redis;
}
