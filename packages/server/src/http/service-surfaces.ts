import { QWEN_VERSION } from '@qwen/protocol';
import { createOpenApi, type JsonSchema } from '@qwen/protocol/json-schema';
import { Hono } from 'hono';
import type { CreateSurface, SurfaceApp } from './surface.js';

const PROBE_MS = 1000;

/** `/health`: the process responds. `/ready`: it accepts work and can store it. */
export const createHealthSurface: CreateSurface = ({ sessions }) => {
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
  return { app, openPaths: ['/health', '/ready'] };
};

export const createOpenApiSurface: CreateSurface = () => {
  const app: SurfaceApp = new Hono();
  let document: JsonSchema | undefined;
  app.get('/openapi.json', (context) => {
    document ??= createOpenApi(QWEN_VERSION);
    return context.json(document);
  });
  return { app };
};
