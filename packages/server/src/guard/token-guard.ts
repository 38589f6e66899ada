import { createHash, timingSafeEqual } from 'node:crypto';
import { AgentError } from '@qwen/protocol';
import type { MiddlewareHandler } from 'hono';
import { FailureCounter } from './failure-counter.js';
import { type GuardContext, headerValues } from './request-facts.js';

export interface TokenGuardOptions {
  readonly token: string;
  /** Milliseconds of a clock that never goes back. Default: that of the process. */
  readonly nowMs?: (() => number) | undefined;
}

const BEARER = /^Bearer +([\w.~+/=-]{1,1024})$/i;

/**
 * Asks for `Authorization: Bearer <token>` on every request. Tokens are compared as digests in constant time. Wrong ones
 * are counted: past 100 in a minute they are answered with `overloaded`, while the right one always passes (S57).
 * Errors: `unauthorized`, `overloaded`. The caller answers both with `WWW-Authenticate` (see `errorResponse`).
 */
export function tokenGuard({ token, nowMs = () => performance.now() }: TokenGuardOptions): MiddlewareHandler {
  const wanted = digest(token);
  const failures = new FailureCounter({ most: 100, windowMs: 60_000, nowMs });
  return async (context: GuardContext, next) => {
    const [header, ...more] = headerValues(context, 'authorization');
    const given = more.length === 0 ? BEARER.exec(header ?? '')?.[1] : undefined;
    if (given !== undefined && timingSafeEqual(digest(given), wanted)) return next();
    // Who sends nothing guesses nothing.
    if (header !== undefined && failures.isTooMany()) {
      throw new AgentError('overloaded', 'Too many requests with wrong tokens; wait a minute.');
    }
    throw new AgentError('unauthorized', 'This server wants Authorization: Bearer with its token.');
  };
}

function digest(token: string): Buffer {
  return createHash('sha256').update(token).digest();
}
