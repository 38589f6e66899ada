import type { Redis } from 'ioredis';
import type { RateLimiterMemory, RateLimiterRedis } from 'rate-limiter-flexible';
import { RefusalWithHeaders } from '../http/error-response.js';
import type { Caller } from './access-tokens.js';

const WINDOW_SECONDS = 60;

/** Limits the requests of a name per minute; in a cluster for all processes together. */
export class RequestLimiter {
  readonly #redis: Redis | undefined;
  /** By limit. */
  readonly #limiters = new Map<number, Promise<RateLimiterMemory | RateLimiterRedis>>();

  constructor(redis: Redis | undefined) {
    this.#redis = redis;
  }

  /** Returns headers for the response. Errors: `quota_exceeded`. */
  async take({ name, limits: { requests_per_minute: points } }: Caller): Promise<Readonly<Record<string, string>>> {
    if (name === undefined || points === undefined) return {};
    const limiter = this.#limiters.get(points) ?? open(points, this.#redis);
    this.#limiters.set(points, limiter);
    const taken = await (await limiter).consume(name).catch((refused: unknown) => {
      if (refused instanceof Error) throw refused;
      return refused;
    });
    const { remainingPoints, msBeforeNext } = Object(taken);
    const seconds = Math.ceil(Number(msBeforeNext) / 1000);
    const headers = {
      'ratelimit-policy': `"requests";q=${points};w=${WINDOW_SECONDS}`,
      ratelimit: `"requests";r=${Math.max(0, Number(remainingPoints))};t=${seconds}`,
    };
    const { consumedPoints } = Object(taken);
    if (Number(consumedPoints) <= points) return headers;
    const message = `The token may send ${points} requests per minute.`;
    throw new RefusalWithHeaders('quota_exceeded', message, { ...headers, 'retry-after': String(seconds) });
  }
}

async function open(points: number, redis: Redis | undefined): Promise<RateLimiterMemory | RateLimiterRedis> {
  const { RateLimiterMemory: InMemory, RateLimiterRedis: InRedis } = await import('rate-limiter-flexible');
  const limits = { points, duration: WINDOW_SECONDS, keyPrefix: `qwen-requests:${points}` };
  if (redis === undefined) return new InMemory(limits);
  // A Redis that cannot be reached must not open the limit.
  return new InRedis({ ...limits, storeClient: redis });
}
