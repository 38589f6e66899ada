import { randomUUID } from 'node:crypto';
import { fencedLog, type Lease, SessionLeases } from '../src/core/redis/session-leases.js';
import { openRedisStores } from '../src/store/redis/open-redis-stores.js';
import { RedisSessionStore } from '../src/store/redis/redis-session-store.js';

/** A worker that does nothing by itself and never says that it lives: what it takes it loses after a moment. */
export async function ghostWorker(url: string, { leaseMs }: { readonly leaseMs: number }) {
  const { store, log, shared } = await openRedisStores(url, {});
  if (shared === undefined) throw new Error('nothing is shared');
  const { facts, conversations, redis, subscriber } = shared;
  const leases = new SessionLeases({ facts, processId: randomUUID(), leaseMs });
  return {
    store,
    log,
    leases,
    conversations,
    redis,
    /** Where it may write under a lease. */
    under: (lease: Lease) => ({ store: new RedisSessionStore(facts, lease), log: fencedLog(log, lease.fence) }),
    /** Makes a lease of anybody's end now. */
    expire: (sessionId: string) => redis.zadd(`${facts.keys.prefix}leases`, 'XX', 0, sessionId),
    [Symbol.asyncDispose]: async () => {
      subscriber.disconnect();
      await log.close();
      await store.close();
    },
  };
}
