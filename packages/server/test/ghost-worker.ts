import { randomUUID } from 'node:crypto';
import { Queue, Worker } from 'bullmq';
import { fencedLog } from '../src/core/redis/open-shared-turns.js';
import { SessionHolders } from '../src/core/redis/session-holders.js';
import { QUEUE_NAME, type SessionJobData, SessionQueue } from '../src/core/redis/session-queue.js';
import { openRedisStores } from '../src/store/redis/open-redis-stores.js';
import { RedisSessionStore } from '../src/store/redis/redis-session-store.js';

/** A worker that never renews, so that it loses each session after `leaseMs`. */
export async function ghostWorker(url: string, { leaseMs }: { readonly leaseMs: number }) {
  const { store, log, shared } = await openRedisStores(url, {});
  if (shared === undefined) throw new Error('nothing is shared');
  const { keyspace, conversations, redis, subscriber, barrier } = shared;
  const holders = new SessionHolders(keyspace, randomUUID());
  const queue = new SessionQueue({ keyspace, redis, barrier });
  const connection = await shared.connect({ tries: null });
  const worker = new Worker<SessionJobData>(QUEUE_NAME, null, {
    connection,
    prefix: keyspace.keys.queuePrefix,
    autorun: false,
    // The claim shortens it.
    lockDuration: 60_000,
    stalledInterval: leaseMs,
    maxStalledCount: Number.MAX_SAFE_INTEGER,
  });
  await worker.waitUntilReady();
  const take = async () => {
    const token = randomUUID();
    const job = await worker.getNextJob(token, { block: false });
    if (job === undefined) return undefined;
    const { sessionId } = job.data;
    const claim = { sessionId, lockKey: queue.lockKey(String(job.id)), token, lockMs: leaseMs };
    return { sessionId, job, token, fence: await holders.claim(claim) };
  };
  return {
    store,
    log,
    holders,
    conversations,
    redis,
    queue,
    /** The next session, if one waits. */
    take,
    /** Takes a session from the worker that has it. */
    steal: async (sessionId: string) => {
      const token = randomUUID();
      const lockKey = String(await redis.hget(`${keyspace.keys.prefix}lease:${sessionId}`, 'lock'));
      await redis.set(lockKey, token, 'PX', leaseMs);
      return { sessionId, fence: await holders.claim({ sessionId, lockKey, token, lockMs: leaseMs }) };
    },
    /** Gives the jobs whose lock has expired back to the queue. */
    checkStalled: () => worker.getBackend().moveStalledJobsToWait(),
    /** Why jobs failed for good, newest first. */
    failures: async () => {
      const jobs = new Queue(QUEUE_NAME, { connection, prefix: keyspace.keys.queuePrefix });
      return (await jobs.getFailed()).map(({ failedReason }) => failedReason);
    },
    /** The stores under a fence. */
    under: (fence: string) => ({ store: new RedisSessionStore(keyspace, { fence }), log: fencedLog(log, fence) }),
    [Symbol.asyncDispose]: async () => {
      await worker.close(true);
      connection.disconnect();
      await queue.close();
      subscriber.disconnect();
      await shared.close();
      await log.close();
      await store.close();
    },
  };
}
