import type { Redis } from 'ioredis';
import type { Conversations } from './conversations.js';
import type { Facts } from './facts.js';

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
