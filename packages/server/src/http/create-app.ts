import { AgentError } from '@qwen/protocol';
import { Hono, type MiddlewareHandler } from 'hono';
import { type AccessGuardOptions, accessGuard } from '../guard/access-guard.js';
import { bodyGuard } from '../guard/body-guard.js';
import { crossOriginAnswers, originGuard } from '../guard/origin-guard.js';
import { sameUserGuard } from '../guard/same-user-guard.js';
import { targetGuard } from '../guard/target-guard.js';
import type { ServerLogger } from '../logging/server-logger.js';
import type { ServerMetrics } from '../metrics/server-metrics.js';
import { accessLog } from './access-log.js';
import { errorResponse } from './error-response.js';
import { RouteTable } from './route-table.js';
import type { Surface, SurfaceApp } from './surface.js';

export interface AppOptions extends Pick<AccessGuardOptions, 'token' | 'tokens' | 'tickets' | 'links' | 'limiter'> {
  readonly surfaces: readonly Surface[];
  readonly hosts: readonly string[];
  readonly origins: readonly string[];
  readonly requireAuth: boolean;
  readonly sameUser: boolean;
  readonly maxBodyBytes: number | undefined;
  readonly isClosing: () => boolean;
  readonly onFault: (errorId: string, thrown: unknown) => void;
  readonly logger: ServerLogger;
  readonly metrics: ServerMetrics | undefined;
}

/** Mounts all surfaces after the guards. */
export function createApp(options: AppOptions): SurfaceApp {
  const { surfaces, hosts, origins, maxBodyBytes, token, tokens, tickets, links, limiter } = options;
  const app: SurfaceApp = new Hono();
  const respond = errorFormatter(options);
  const routes = new RouteTable(surfaces.flatMap((surface) => surface.routes));
  app.onError((error, context) => respond(error, context.req.path));
  app.use(accessLog({ routes, logger: options.logger, metrics: options.metrics }));
  app.use(originGuard({ hosts, origins }), crossOriginAnswers(origins));
  if (options.sameUser) app.use(sameUserGuard());
  app.use(targetGuard());
  app.use(closingGuard(options.isClosing));
  app.use(accessGuard({ token, tokens, tickets, links, limiter, isTokenNeeded: tokenNeed(options) }));
  app.use(bodyUnlessOwn(surfaces, bodyGuard(maxBodyBytes === undefined ? {} : { maxBytes: maxBodyBytes })));
  app.use(async (context, next) => {
    await next();
    context.header('x-content-type-options', 'nosniff');
  });
  for (const surface of surfaces) app.route('/', surface.app);
  app.notFound(({ req }) => respond(new AgentError('unknown_route', `Unknown path ${req.path}.`), req.path));
  return app;
}

function errorFormatter({ surfaces, onFault }: AppOptions): (thrown: unknown, path: string) => Response {
  const formats = surfaces
    .flatMap((surface) => surface.failures ?? [])
    .toSorted((one, other) => other.prefix.length - one.prefix.length);
  return (thrown, path) => {
    const format = formats.find(({ prefix }) => path.startsWith(prefix));
    return errorResponse(thrown, { onFault, ...(format && { toBody: (wire) => format.toBody(wire, path) }) });
  };
}

function closingGuard(isClosing: () => boolean): MiddlewareHandler {
  return async (context, next) => {
    if (isClosing() && context.req.path !== '/health') {
      throw new AgentError('shutting_down', 'The server is shutting down.');
    }
    await next();
  };
}

function tokenNeed({ surfaces, requireAuth }: AppOptions): (path: string) => boolean {
  const prefixes = surfaces.flatMap(({ tokenPrefixes = [] }) => tokenPrefixes);
  return (path) => requireAuth || isUnder(prefixes, path);
}

function bodyUnlessOwn(surfaces: readonly Surface[], guard: MiddlewareHandler): MiddlewareHandler {
  const prefixes = surfaces.flatMap(({ ownBodyPrefixes = [] }) => ownBodyPrefixes);
  return async (context, next) => (isUnder(prefixes, context.req.path) ? next() : guard(context, next));
}

function isUnder(prefixes: readonly string[], path: string): boolean {
  return prefixes.some((prefix) => path === prefix || path.startsWith(`${prefix}/`));
}
