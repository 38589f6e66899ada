import { randomUUID } from 'node:crypto';
import { AgentError } from '@qwen/protocol';
import type { Redis } from 'ioredis';
import { toRedisError } from './redis-error.js';

/** Shorter than the timeout of the connection. */
const WAIT_MS = 2000;

export interface ReplicaBarrierOptions {
  /** Used for nothing else, because `WAIT` blocks it. The caller disconnects it. */
  readonly redis: Redis;
  /** How many replicas must have a write; 0: the barrier does nothing. */
  readonly replicas: number;
}

/** Waits for replicas, so that a failover loses nothing that was acknowledged or read. */
export class ReplicaBarrier {
  /** May change after a failover. */
  replicas: number;
  readonly #redis: Redis;
  readonly #key = `qwen:barrier:${randomUUID()}`;
  #running: Promise<void> | undefined;
  #next: Promise<void> | undefined;

  constructor({ redis, replicas }: ReplicaBarrierOptions) {
    this.#redis = redis;
    this.replicas = replicas;
  }

  /**
   * Resolves when all that Redis had executed before the call is on the replicas. Concurrent calls share a request.
   * Errors: `storage_unreachable`; a failover may then lose what was written.
   */
  async pass(): Promise<void> {
    if (this.replicas === 0) return;
    this.#next ??= this.#follow(this.#running);
    await this.#next;
  }

  async #follow(running: Promise<void> | undefined): Promise<void> {
    await running?.catch(() => undefined);
    // Includes all calls of this tick.
    await Promise.resolve();
    this.#running = this.#next;
    this.#next = undefined;
    await this.#wait();
  }

  async #wait(): Promise<void> {
    const { replicas } = this;
    // `WAIT` waits for the last write of its connection. The stream of replication is ordered, so this one comes last.
    const pipeline = this.#redis.pipeline().set(this.#key, '1', 'PX', 60_000).wait(replicas, WAIT_MS);
    const replies = await pipeline.exec().catch((thrown: unknown) => {
      throw toRedisError(thrown);
    });
    for (const [error] of replies ?? []) if (error !== null) throw toRedisError(error);
    const reached = Number(replies?.[1]?.[1] ?? 0);
    if (reached >= replicas) return;
    throw new AgentError(
      'storage_unreachable',
      `The write reached ${reached} of ${replicas} required replicas of Redis.`,
    );
  }
}
