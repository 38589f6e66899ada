import { AgentError } from '@qwen/protocol';
import { Hono, type MiddlewareHandler } from 'hono';
import { bodyGuard } from '../guard/body-guard.js';
import { placeGuard } from '../guard/place-guard.js';
import { sameUserGuard } from '../guard/same-user-guard.js';
import { tokenGuard } from '../guard/token-guard.js';
import { errorResponse } from './error-response.js';
import type { Surface, SurfaceApp } from './surface.js';

export interface AppOptions {
  readonly surfaces: readonly Surface[];
  readonly hosts: readonly string[];
  readonly origins: readonly string[];
  readonly token: string;
  /** Ask for it on every path that is not open. */
  readonly requireAuth: boolean;
  /** Let in only programs of the user of this process. */
  readonly sameUser: boolean;
  readonly maxBodyBytes: number | undefined;
  /** Whether the server is about to end: nothing but streams that run goes on. */
  readonly isClosing: () => boolean;
  readonly onFault: (errorId: string, thrown: unknown) => void;
}

/** All surfaces behind all guards: no route is reached past them, and what is no route is an answer of ours too. */
export function createApp(options: AppOptions): SurfaceApp {
  const { surfaces, hosts, origins, token, maxBodyBytes } = options;
  const app: SurfaceApp = new Hono();
  const failures = toFailures(options);
  app.onError((error, context) => failures(error, context.req.path));
  app.use(placeGuard({ hosts, origins }));
  if (options.sameUser) app.use(sameUserGuard());
  app.use(closingGuard(options.isClosing));
  app.use(unlessOpen(options, tokenGuard({ token })));
  app.use(unlessOwn(surfaces, bodyGuard(maxBodyBytes === undefined ? {} : { maxBytes: maxBodyBytes })));
  app.use(async (context, next) => {
    await next();
    context.header('x-content-type-options', 'nosniff');
  });
  for (const surface of surfaces) app.route('/', surface.app);
  app.notFound(({ req }) => failures(new AgentError('unknown_route', `There is nothing at ${req.path}.`), req.path));
  return app;
}

/** Failures in the form of the surface at whose paths they happen. */
function toFailures({ surfaces, onFault }: AppOptions): (thrown: unknown, path: string) => Response {
  const forms = surfaces
    .flatMap((surface) => surface.failures ?? [])
    .toSorted((one, other) => other.prefix.length - one.prefix.length);
  return (thrown, path) => {
    const form = forms.find(({ prefix }) => path.startsWith(prefix));
    return errorResponse(thrown, { onFault, ...(form && { toBody: (wire) => form.toBody(wire, path) }) });
  };
}

function closingGuard(isClosing: () => boolean): MiddlewareHandler {
  return async (context, next) => {
    if (isClosing() && context.req.path !== '/health') {
      throw new AgentError('shutting_down', 'The server is about to end.');
    }
    await next();
  };
}

/** A prefix that wants the token is stronger than everything else. */
function unlessOpen({ surfaces, requireAuth }: AppOptions, guard: MiddlewareHandler): MiddlewareHandler {
  const prefixes = surfaces.flatMap(({ tokenPrefixes = [] }) => tokenPrefixes);
  const open = new Set(surfaces.flatMap(({ openPaths = [] }) => openPaths));
  return async (context, next) => {
    const { path } = context.req;
    if (isUnder(prefixes, path) || (requireAuth && !open.has(path))) return guard(context, next);
    return next();
  };
}

function unlessOwn(surfaces: readonly Surface[], guard: MiddlewareHandler): MiddlewareHandler {
  const prefixes = surfaces.flatMap(({ ownBodyPrefixes = [] }) => ownBodyPrefixes);
  return async (context, next) => (isUnder(prefixes, context.req.path) ? next() : guard(context, next));
}

function isUnder(prefixes: readonly string[], path: string): boolean {
  return prefixes.some((prefix) => path === prefix || path.startsWith(`${prefix}/`));
}
