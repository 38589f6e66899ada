import { timingSafeEqual } from 'node:crypto';
import { AgentError } from '@qwen/protocol';
import type { MiddlewareHandler } from 'hono';
import { currentRequest, type RequestContext } from '../http/request-context.js';
import { type AccessTokens, ADMIN, type Caller, digest, mayDo } from './access-tokens.js';
import { FailureCounter } from './failure-counter.js';
import { OpenResponses } from './open-responses.js';
import { type GuardContext, headerValues } from './request-headers.js';
import type { RequestLimiter } from './request-limiter.js';
import type { ShareLinks } from './share-links.js';
import type { StreamTickets } from './stream-tickets.js';

export interface AccessGuardOptions {
  /** The token of the administrator. */
  readonly token: string;
  readonly tokens?: AccessTokens | undefined;
  readonly tickets?: StreamTickets | undefined;
  readonly links?: ShareLinks | undefined;
  readonly limiter?: RequestLimiter | undefined;
  /** Whether a request needs a token; otherwise one without is that of the administrator. */
  readonly isTokenNeeded: (path: string) => boolean;
  /** A monotonic clock. Default: `performance.now()`. */
  readonly nowMs?: (() => number) | undefined;
}

const BEARER = /^Bearer +([\w.~+/=-]{1,1024})$/i;

/**
 * Finds the caller and checks the scope of the route; a route without one is for administrators. A wrong token is never
 * ignored. After 100 of them in a minute, others get `overloaded`; right ones still pass. Errors: `unauthorized`,
 * `forbidden`, `overloaded`, `quota_exceeded`.
 */
export function accessGuard(options: AccessGuardOptions): MiddlewareHandler {
  const { token, tokens, tickets, links, limiter, isTokenNeeded, nowMs = () => performance.now() } = options;
  const wanted = digest(token);
  const responses = new OpenResponses();
  const failures = new FailureCounter({ most: 100, windowMs: 60_000, nowMs });
  const watch = ({ env }: GuardContext, { id }: Caller, link: RequestContext['shareLink']) => {
    if (env?.outgoing === undefined) return;
    if (link !== undefined) responses.add(env.outgoing, link.isValid);
    else if (id !== undefined) responses.add(env.outgoing, async () => (await tokens?.findById(id)) !== undefined);
  };
  const callerOf = async (context: GuardContext, request: RequestContext | undefined): Promise<Caller> => {
    const [header, ...more] = headerValues(context, 'authorization');
    if (header === undefined) {
      const ticket = await tickets?.redeem(context.req.query('ticket'), request);
      if (ticket !== undefined) return ticket;
      if (!isTokenNeeded(context.req.path)) return ADMIN;
    }
    const given = more.length === 0 ? BEARER.exec(header ?? '')?.[1] : undefined;
    if (given !== undefined) {
      if (timingSafeEqual(digest(given), wanted)) return ADMIN;
      const found = await tokens?.find(given);
      if (found !== undefined) return found;
      const shared = await links?.redeem(given, request);
      if (shared !== undefined) return shared;
    }
    // A request without a token is not an attempt to guess it.
    if (header !== undefined && failures.isTooMany()) {
      throw new AgentError('overloaded', 'Too many requests with a wrong token. Retry in a minute.');
    }
    throw new AgentError('unauthorized', 'This server requires its token: Authorization: Bearer <token>.');
  };
  return async (context: GuardContext, next) => {
    const request = currentRequest();
    const scope = request?.route?.scope ?? 'admin';
    if (scope === 'open') return next();
    const caller = await callerOf(context, request);
    if (request !== undefined) request.caller = caller;
    watch(context, caller, request?.shareLink);
    if (!mayDo(caller, scope)) throw new AgentError('forbidden', `The token lacks the scope ${scope}.`);
    for (const [name, value] of Object.entries((await limiter?.take(caller)) ?? {})) context.header(name, value);
    return next();
  };
}
