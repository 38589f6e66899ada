import { RedisStore } from '../../log/redis/redis-store.js';
import { StoredEventLog, type StoredLogOptions } from '../../log/stored-event-log.js';
import { openRedis } from '../../redis/open-redis.js';
import { readRedisSettings } from '../../redis/redis-settings.js';
import { ReplicaBarrier } from '../../redis/replica-barrier.js';
import type { OpenedStores } from '../opened-stores.js';
import { ConversationStore } from './conversation-store.js';
import { RedisSessionStore } from './redis-session-store.js';
import { SessionKeys, SessionKeyspace } from './session-keyspace.js';

const SESSIONS = 'qwen:sessions';
const CONVERSATIONS = 'qwen:conversation:';

/** Opens sessions and events in one Redis, for any number of processes. Errors: `usage`; those of the stores. */
export async function openRedisStores(url: string, options: StoredLogOptions): Promise<OpenedStores> {
  const redis = await openRedis(url);
  const connected: { disconnect(): void }[] = [redis];
  try {
    const { warnings, replicas } = await readRedisSettings(redis);
    const waiting = await openRedis(url);
    connected.push(waiting);
    const barrier = new ReplicaBarrier({ redis: waiting, replicas });
    // After a failover, the settings of the new server apply. Until they are known, those of the old one.
    waiting.on('ready', () => {
      readRedisSettings(waiting).then(
        (settings) => {
          barrier.replicas = settings.replicas;
        },
        () => undefined,
      );
    });
    // Retries forever: a subscriber has no commands that could fail instead.
    const subscriber = await openRedis(url, { tries: null });
    connected.push(subscriber);
    const log = new StoredEventLog(await RedisStore.open({ url, barrier }), options);
    const keyspace = new SessionKeyspace(redis, new SessionKeys(SESSIONS), barrier);
    const conversations = new ConversationStore(redis, barrier, CONVERSATIONS);
    return {
      store: new RedisSessionStore(keyspace),
      log,
      shared: {
        keyspace,
        conversations,
        redis,
        subscriber,
        barrier,
        connect: (retries) => openRedis(url, retries),
        close: async () => waiting.disconnect(),
      },
      warnings,
    };
  } catch (thrown) {
    for (const each of connected) each.disconnect();
    throw thrown;
  }
}
