import { QWEN_VERSION } from '@qwen/protocol';
import { createOpenApi, type JsonSchema } from '@qwen/protocol/json-schema';
import { Hono } from 'hono';
import type { CreateSurface, SurfaceApp } from './surface.js';

/** `/health`: the process answers. `/ready`: it takes work. Both by GET and POST (CF-58), and never behind the token. */
export const createHealthSurface: CreateSurface = ({ sessions }) => {
  const app: SurfaceApp = new Hono();
  const startedAt = performance.now();
  app.on(['GET', 'POST'], '/health', (context) =>
    context.json({
      status: 'ok',
      timestamp: new Date().toISOString(),
      // Whole seconds (GAP-63).
      uptime: Math.floor((performance.now() - startedAt) / 1000),
    }),
  );
  // A store that does not answer is an error here: nobody should send work to this server then.
  app.on(['GET', 'POST'], '/ready', async (context) =>
    context.json({ status: 'ready', timestamp: new Date().toISOString(), sessions: await sessions.count() }),
  );
  return { app, openPaths: ['/health', '/ready'] };
};

/** The description of all routes at `/openapi.json`, from the tables that serve them. Made when it is first asked for. */
export const createOpenApiSurface: CreateSurface = () => {
  const app: SurfaceApp = new Hono();
  let document: JsonSchema | undefined;
  app.get('/openapi.json', (context) => {
    document ??= createOpenApi(QWEN_VERSION);
    return context.json(document);
  });
  return { app };
};
