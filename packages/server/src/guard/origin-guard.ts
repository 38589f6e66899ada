import { AgentError } from '@qwen/protocol';
import type { MiddlewareHandler } from 'hono';
import { cors } from 'hono/cors';
import { type GuardContext, headerValues, requestTarget } from './request-headers.js';

export interface OriginGuardOptions {
  /** Such as `localhost:3000`; ports 80 and 443 are omitted. */
  readonly hosts: readonly string[];
  /** Such as `https://app.example:8443`. */
  readonly origins?: readonly string[] | undefined;
}

/** `Sec-Fetch-Site` of requests by our own page or the address bar. */
const OWN_SITES = new Set(['same-origin', 'none']);

/** Refuses other hosts (DNS rebinding) and pages of other origins. Errors: `origin_refused`. */
export function originGuard({ hosts, origins = [] }: OriginGuardOptions): MiddlewareHandler {
  const allowedHosts = new Set(hosts.map((host) => host.toLowerCase()));
  const allowedOrigins = new Set([...origins, ...hosts.flatMap((host) => [`http://${host}`, `https://${host}`])]);
  return async (context: GuardContext, next) => {
    checkHost(context, allowedHosts);
    const isKnownOrigin = checkOrigin(context, allowedOrigins);
    const site = headerValues(context, 'sec-fetch-site')[0];
    if (site !== undefined && !OWN_SITES.has(site) && !isKnownOrigin)
      throw refuse('requests from pages of other sites');
    await next();
  };
}

/** Lets browsers show responses to pages of these origins, and answers what they ask before a request (CORS). */
export function crossOriginAnswers(origins: readonly string[]): MiddlewareHandler {
  const answer = cors({
    origin: [...origins],
    allowMethods: ['GET', 'POST', 'DELETE'],
    allowHeaders: ['Authorization', 'Content-Type', 'Last-Event-ID', 'Idempotency-Key'],
    exposeHeaders: ['Retry-After', 'RateLimit', 'RateLimit-Policy', 'X-Request-Id'],
    maxAge: 600,
  });
  return async (context, next) => {
    const { req } = context;
    if (!origins.includes(req.header('origin') ?? '')) return next();
    if (req.header('access-control-request-private-network') === 'true') {
      context.header('access-control-allow-private-network', 'true');
    }
    return answer(context, next);
  };
}

function checkHost(context: GuardContext, allowed: ReadonlySet<string>): void {
  // An absolute URL names an unchecked host.
  if (!requestTarget(context).startsWith('/')) throw refuse('proxy requests');
  const [host, ...more] = headerValues(context, 'host');
  if (host === undefined || more.length > 0 || !allowed.has(host.toLowerCase()))
    throw refuse('requests for another host');
}

/** False without an origin. */
function checkOrigin(context: GuardContext, allowed: ReadonlySet<string>): boolean {
  const [origin, ...more] = headerValues(context, 'origin');
  if (origin === undefined) return false;
  if (more.length > 0 || !allowed.has(origin)) throw refuse('requests from pages of other origins');
  return true;
}

function refuse(what: string): AgentError {
  return new AgentError('origin_refused', `This server refuses ${what}.`);
}
