import { randomUUID } from 'node:crypto';
import { Queue } from 'bullmq';
import type { Redis } from 'ioredis';
import * as z from 'zod/mini';
import type { ServerMetrics } from '../../metrics/server-metrics.js';
import { toRedisError } from '../../redis/redis-error.js';
import { parseReply } from '../../redis/redis-script.js';
import type { ReplicaBarrier } from '../../redis/replica-barrier.js';
import * as scripts from '../../store/redis/scripts.js';
import type { SessionKeyspace } from '../../store/redis/session-keyspace.js';

export interface SessionJobData {
  readonly sessionId: string;
}

/** With the prefix of the sessions, it forms the keys of BullMQ. */
export const QUEUE_NAME = 'jobs';
/** Failures of a job, each on any worker, before its turns are ended. With the backoff about a minute. */
export const MAX_ATTEMPTS = 8;
const BACKOFF_MS = 500;
const KEPT_FAILURES = 1000;
/** Jobs without a priority come first. */
const NEW_WORK = 10;

const idsReply = z.array(z.string());

export interface SessionQueueOptions {
  readonly keyspace: SessionKeyspace;
  /** The caller disconnects it. */
  readonly redis: Redis;
  readonly barrier: Pick<ReplicaBarrier, 'pass'>;
}

/** One job per session with work. */
export class SessionQueue {
  readonly #options: SessionQueueOptions;
  readonly #queue: Queue<SessionJobData>;

  constructor(options: SessionQueueOptions) {
    this.#options = options;
    const { keyspace, redis } = options;
    this.#queue = new Queue(QUEUE_NAME, { connection: redis, prefix: keyspace.keys.queuePrefix });
    // Commands reject with the same error.
    this.#queue.on('error', () => undefined);
  }

  /**
   * The session has work. If its job runs, another one follows it; if it waits, nothing changes. `isContinued`: before
   * sessions that no worker has had. Errors: those of Redis; the sweep of the workers finds the session.
   */
  async add(sessionId: string, { isContinued = false }: { readonly isContinued?: boolean } = {}): Promise<void> {
    try {
      await this.#queue.add(
        'session',
        { sessionId },
        {
          jobId: randomUUID(),
          deduplication: { id: sessionId, keepLastIfActive: true },
          attempts: MAX_ATTEMPTS,
          backoff: { type: 'exponential', delay: BACKOFF_MS },
          removeOnComplete: true,
          removeOnFail: { count: KEPT_FAILURES },
          ...(!isContinued && { priority: NEW_WORK }),
        },
      );
    } catch (thrown) {
      throw toRedisError(thrown);
    }
    await this.#options.barrier.pass();
  }

  /** Adds sessions with open turns that have no job, because a process died or Redis lost data. */
  async sweep(): Promise<void> {
    const reply = await this.#options.keyspace.run(scripts.WITHOUT_JOB, [this.#queue.toKey('de:')]);
    for (const sessionId of parseReply(idsReply, reply)) await this.add(sessionId);
  }

  /** Metrics of the whole cluster. */
  watch(metrics: ServerMetrics): void {
    for (const state of ['waiting', 'prioritized', 'active', 'delayed', 'failed'] as const) {
      metrics.watch(`qwen_jobs_${state}`, `Jobs of the cluster in the state ${state}.`, async () => {
        const counts = await this.#queue.getJobCounts(state);
        return counts[state];
      });
    }
  }

  lockKey(jobId: string): string {
    return this.#queue.toKey(`${jobId}:lock`);
  }

  async close(): Promise<void> {
    await this.#queue.close();
  }
}
