import { AgentError } from '@qwen/protocol';
import type { MiddlewareHandler } from 'hono';
import { type GuardContext, headerValues, requestTarget } from './request-headers.js';

export interface OriginGuardOptions {
  /**
   * Hosts under which clients reach the server, such as `localhost:3000` and `[::1]:3000`; ports 80 and 443 are
   * omitted.
   */
  readonly hosts: readonly string[];
  /** Other allowed origins, such as `https://app.example:8443`. Default none. */
  readonly origins?: readonly string[] | undefined;
}

/** `Sec-Fetch-Site` of requests by our own page or the address bar. */
const OWN_SITES = new Set(['same-origin', 'none']);

/**
 * Refuses requests to another host (DNS rebinding) and by pages of other origins, on every route. Sends no CORS
 * headers. Errors: `origin_refused`.
 */
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

function checkHost(context: GuardContext, allowed: ReadonlySet<string>): void {
  // An absolute URL names an unchecked host.
  if (!requestTarget(context).startsWith('/')) throw refuse('proxy requests');
  const [host, ...more] = headerValues(context, 'host');
  if (host === undefined || more.length > 0 || !allowed.has(host.toLowerCase()))
    throw refuse('requests for another host');
}

/** True if the request has an allowed origin; false if it has none. */
function checkOrigin(context: GuardContext, allowed: ReadonlySet<string>): boolean {
  const [origin, ...more] = headerValues(context, 'origin');
  if (origin === undefined) return false;
  if (more.length > 0 || !allowed.has(origin)) throw refuse('requests from pages of other origins');
  return true;
}

function refuse(what: string): AgentError {
  return new AgentError('origin_refused', `This server refuses ${what}.`);
}
