import { createOpenApi, type JsonSchema } from '@qwen/protocol/json-schema';
import { Hono } from 'hono';
import type { CreateSurface, SurfaceApp } from '../app/surface.js';

/** The description of all routes at `/openapi.json`, from the tables that serve them. Made when it is first asked for. */
export const createOpenApiSurface: CreateSurface = () => {
  const app: SurfaceApp = new Hono();
  let document: JsonSchema | undefined;
  app.get('/openapi.json', (context) => {
    document ??= createOpenApi();
    return context.json(document);
  });
  return { app };
};
