import { isIP } from 'node:net';
import { hostname } from 'node:os';
import { AgentError, QWEN_VERSION } from '@qwen/protocol';
import { createOpenApi, type JsonSchema } from '@qwen/protocol/json-schema';
import { Hono } from 'hono';
import { type GuardContext, headerValues } from '../guard/request-headers.js';
import type { ServerMetrics } from '../metrics/server-metrics.js';
import { errorResponse } from './error-response.js';
import type { CreateSurface, SurfaceApp } from './surface.js';

const PROBE_MS = 1000;

/** `/health`: the process responds. `/ready`: it accepts work and can store it. */
export const createHealthSurface: CreateSurface = ({ allSessions: sessions }) => {
  const app: SurfaceApp = new Hono();
  const startedAt = performance.now();
  app.on(['GET', 'POST'], '/health', (context) =>
    context.json({
      status: 'ok',
      timestamp: new Date().toISOString(),
      uptime: Math.floor((performance.now() - startedAt) / 1000),
    }),
  );
  // Anyone may ask, so requests share a probe.
  let probe: Promise<void> | undefined;
  let probedAt = 0;
  app.on(['GET', 'POST'], '/ready', async (context) => {
    if (probe === undefined || performance.now() - probedAt > PROBE_MS) {
      probedAt = performance.now();
      probe = sessions.probe();
    }
    await probe;
    return context.json({ status: 'ready', timestamp: new Date().toISOString(), sessions: await sessions.count() });
  });
  const paths = ['/health', '/ready'];
  return { app, routes: paths.map((path) => ({ method: 'ALL', path, scope: 'open' })) };
};

export const createOpenApiSurface: CreateSurface = () => {
  const app: SurfaceApp = new Hono();
  let document: JsonSchema | undefined;
  app.get('/openapi.json', (context) => {
    document ??= createOpenApi(QWEN_VERSION);
    return context.json(document);
  });
  return { app, routes: [{ method: 'GET', path: '/openapi.json', scope: 'read' }] };
};

/** In the text format of Prometheus. Absent unless metrics are enabled. */
export const createMetricsSurface: CreateSurface = ({ metrics }) => {
  if (metrics === undefined) return { app: new Hono(), routes: [] };
  const app = serveMetrics(metrics);
  return { app, routes: [{ method: 'GET', path: '/metrics', scope: 'metrics' }] };
};

/**
 * For a separate port that web pages must not read. Monitoring systems send none of the headers of a browser, and find
 * the port by its address or by one of these names, with or without a port.
 */
export function createMetricsApp(metrics: ServerMetrics, names: readonly string[]): SurfaceApp {
  const app: SurfaceApp = new Hono();
  app.onError((thrown) => errorResponse(thrown));
  const known = new Set(['localhost', hostname(), ...names].map(withoutPort));
  app.use(async (context: GuardContext, next) => {
    const [host, ...more] = headerValues(context, 'host').map(withoutPort);
    // No page of another origin has an address as its host, whatever its own name resolves to.
    if (host === undefined || more.length > 0 || !(isIP(host) > 0 || known.has(host))) {
      throw new AgentError(
        'origin_refused',
        'This port refuses requests for another host. Allow it with --allow-host.',
      );
    }
    const { req } = context;
    if (req.header('origin') === undefined && req.header('sec-fetch-site') === undefined) return next();
    throw new AgentError('origin_refused', 'This port serves monitoring systems, not web pages.');
  });
  app.route('/', serveMetrics(metrics));
  app.notFound(() => errorResponse(new AgentError('unknown_route', 'This port only serves /metrics.')));
  return app;
}

function withoutPort(host: string): string {
  const [, bracketed, name] = /^(?:\[(.*)\]|([^:]*))(?::\d+)?$/.exec(host) ?? [];
  return (bracketed ?? name ?? host).toLowerCase();
}

function serveMetrics(metrics: ServerMetrics): SurfaceApp {
  const app: SurfaceApp = new Hono();
  app.get('/metrics', async (context) =>
    context.body(await metrics.text(), 200, { 'content-type': metrics.contentType, 'cache-control': 'no-store' }),
  );
  return app;
}
