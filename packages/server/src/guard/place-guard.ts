import { AgentError } from '@qwen/protocol';
import type { MiddlewareHandler } from 'hono';
import { type GuardContext, headerValues, requestTarget } from './request-facts.js';

export interface PlaceGuardOptions {
  /** Host and port under which clients reach us, such as `localhost:3000` and `[::1]:3000`; without port for 80 and 443. */
  readonly hosts: readonly string[];
  /** Pages of other origins that may call us, exactly as a browser names them: `https://app.example:8443`. Default none. */
  readonly origins?: readonly string[] | undefined;
}

/** What a browser says of a request that our own page or the address bar made. */
const OWN_SITES = new Set(['same-origin', 'none']);

/**
 * Refuses requests that were made to another name (DNS rebinding, S61) or by a page of another origin (S59, S60),
 * whatever the route, and tells browsers of no other origin anything. Errors: `origin_refused`.
 */
export function placeGuard({ hosts, origins = [] }: PlaceGuardOptions): MiddlewareHandler {
  const allowedHosts = new Set(hosts.map((host) => host.toLowerCase()));
  const allowedOrigins = new Set([...origins, ...hosts.flatMap((host) => [`http://${host}`, `https://${host}`])]);
  return async (context: GuardContext, next) => {
    checkHost(context, allowedHosts);
    const isKnownOrigin = checkOrigin(context, allowedOrigins);
    const site = headerValues(context, 'sec-fetch-site')[0];
    if (site !== undefined && !OWN_SITES.has(site) && !isKnownOrigin) throw refuse('a page of another site');
    await next();
  };
}

function checkHost(context: GuardContext, allowed: ReadonlySet<string>): void {
  // A whole URL names a host of its own, which nobody has checked.
  if (!requestTarget(context).startsWith('/')) throw refuse('a client that takes it for a proxy');
  const [host, ...more] = headerValues(context, 'host');
  if (host === undefined || more.length > 0 || !allowed.has(host.toLowerCase()))
    throw refuse('a client that knows it by another name');
}

/** True when the request names an origin that may call us; one without names none. */
function checkOrigin(context: GuardContext, allowed: ReadonlySet<string>): boolean {
  const [origin, ...more] = headerValues(context, 'origin');
  if (origin === undefined) return false;
  if (more.length > 0 || !allowed.has(origin)) throw refuse('a page of another origin');
  return true;
}

function refuse(who: string): AgentError {
  return new AgentError('origin_refused', `This server does not answer ${who}.`);
}
