import { createHash, timingSafeEqual } from 'node:crypto';
import { AgentError } from '@qwen/protocol';
import type { MiddlewareHandler } from 'hono';
import { FailureCounter } from './failure-counter.js';
import { type GuardContext, headerValues } from './request-headers.js';

export interface TokenGuardOptions {
  readonly token: string;
  /** A monotonic clock. Default: `performance.now()`. */
  readonly nowMs?: (() => number) | undefined;
}

const BEARER = /^Bearer +([\w.~+/=-]{1,1024})$/i;

/**
 * Compares digests in constant time. After 100 wrong tokens in a minute, others get `overloaded`; the right one
 * still passes. Errors: `unauthorized`, `overloaded`.
 */
export function tokenGuard({ token, nowMs = () => performance.now() }: TokenGuardOptions): MiddlewareHandler {
  const wanted = digest(token);
  const failures = new FailureCounter({ most: 100, windowMs: 60_000, nowMs });
  return async (context: GuardContext, next) => {
    const [header, ...more] = headerValues(context, 'authorization');
    const given = more.length === 0 ? BEARER.exec(header ?? '')?.[1] : undefined;
    if (given !== undefined && timingSafeEqual(digest(given), wanted)) return next();
    // A request without a token is not an attempt to guess it.
    if (header !== undefined && failures.isTooMany()) {
      throw new AgentError('overloaded', 'Too many requests with a wrong token. Retry in a minute.');
    }
    throw new AgentError('unauthorized', 'This server requires its token: Authorization: Bearer <token>.');
  };
}

function digest(token: string): Buffer {
  return createHash('sha256').update(token).digest();
}
