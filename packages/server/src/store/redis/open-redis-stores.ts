import type { EventLogOptions } from '../../log/event-log.js';
import { RedisStore } from '../../log/redis/redis-store.js';
import { StoredEventLog } from '../../log/stored-event-log.js';
import { openRedis } from '../../redis/open-redis.js';
import { readRedisSettings } from '../../redis/redis-settings.js';
import type { OpenedStores } from '../opened-stores.js';
import { Conversations } from './conversations.js';
import { FactKeys } from './fact-keys.js';
import { Facts } from './facts.js';
import { RedisSessionStore } from './redis-session-store.js';

const FACTS = 'qwen:sessions';
const CONVERSATIONS = 'qwen:conversation:';

/** Everything of a server in one Redis, for as many processes as one likes. Errors: `usage`; those of the stores. */
export async function openRedisStores(url: string, options: EventLogOptions): Promise<OpenedStores> {
  const redis = await openRedis(url);
  const connected: { disconnect(): void }[] = [redis];
  try {
    const remarks = await readRedisSettings(redis);
    // It only listens: it waits for as long as it takes.
    const subscriber = await openRedis(url, { tries: null });
    connected.push(subscriber);
    const log = new StoredEventLog(await RedisStore.open({ url }), options);
    const facts = new Facts(redis, new FactKeys(FACTS));
    const conversations = new Conversations(redis, CONVERSATIONS);
    return {
      store: new RedisSessionStore(facts),
      log,
      shared: { facts, conversations, redis, subscriber },
      remarks,
    };
  } catch (thrown) {
    for (const each of connected) each.disconnect();
    throw thrown;
  }
}
