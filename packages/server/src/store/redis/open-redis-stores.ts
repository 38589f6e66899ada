import type { EventLogOptions } from '../../log/event-log.js';
import { RedisStore } from '../../log/redis/redis-store.js';
import { StoredEventLog } from '../../log/stored-event-log.js';
import { openRedis } from '../../redis/open-redis.js';
import { readRedisSettings } from '../../redis/redis-settings.js';
import type { OpenedStores } from '../opened-stores.js';
import { ConversationStore } from './conversation-store.js';
import { RedisSessionStore } from './redis-session-store.js';
import { SessionKeys, SessionKeyspace } from './session-keyspace.js';

const SESSIONS = 'qwen:sessions';
const CONVERSATIONS = 'qwen:conversation:';

/** Opens sessions and events in one Redis, for any number of processes. Errors: `usage`; those of the stores. */
export async function openRedisStores(url: string, options: EventLogOptions): Promise<OpenedStores> {
  const redis = await openRedis(url);
  const connected: { disconnect(): void }[] = [redis];
  try {
    const warnings = await readRedisSettings(redis);
    // Retries forever: a subscriber has no commands that could fail instead.
    const subscriber = await openRedis(url, { tries: null });
    connected.push(subscriber);
    const log = new StoredEventLog(await RedisStore.open({ url }), options);
    const keyspace = new SessionKeyspace(redis, new SessionKeys(SESSIONS));
    const conversations = new ConversationStore(redis, CONVERSATIONS);
    return {
      store: new RedisSessionStore(keyspace),
      log,
      shared: { keyspace, conversations, redis, subscriber },
      warnings,
    };
  } catch (thrown) {
    for (const each of connected) each.disconnect();
    throw thrown;
  }
}
