import { randomUUID } from 'node:crypto';
import { fencedLog, type Lease, SessionLeases } from '../src/core/redis/session-leases.js';
import { openRedisStores } from '../src/store/redis/open-redis-stores.js';
import { RedisSessionStore } from '../src/store/redis/redis-session-store.js';

/** A worker that never renews its leases, so that it loses each after `leaseMs`. */
export async function ghostWorker(url: string, { leaseMs }: { readonly leaseMs: number }) {
  const { store, log, shared } = await openRedisStores(url, {});
  if (shared === undefined) throw new Error('nothing is shared');
  const { keyspace, conversations, redis, subscriber } = shared;
  const leases = new SessionLeases({ keyspace, processId: randomUUID(), leaseMs });
  return {
    store,
    log,
    leases,
    conversations,
    redis,
    /** The stores under a lease. */
    under: (lease: Lease) => ({ store: new RedisSessionStore(keyspace, lease), log: fencedLog(log, lease.fence) }),
    /** Makes the current lease of a session expire now. */
    expire: (sessionId: string) => redis.zadd(`${keyspace.keys.prefix}leases`, 'XX', 0, sessionId),
    [Symbol.asyncDispose]: async () => {
      subscriber.disconnect();
      await log.close();
      await store.close();
    },
  };
}
