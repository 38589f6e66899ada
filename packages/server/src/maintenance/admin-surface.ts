import { isAbsolute } from 'node:path';
import { AgentError } from '@qwen/protocol';
import { Hono } from 'hono';
import * as z from 'zod/mini';
import { errorResponse } from '../http/error-response.js';
import { readBody } from '../http/read-body.js';
import type { CreateSurface, SurfaceApp } from '../http/surface.js';

const PATH = '/api/v1/admin';

/** For `qwen serve backup`, since only the server can read its store. Always requires a token. */
export const createAdminSurface: CreateSurface = ({ backup, onFault }) => {
  const app: SurfaceApp = new Hono();
  app.onError((thrown) => errorResponse(thrown, { onFault }));
  app.post(`${PATH}/backup`, async (context) => {
    const { folder } = await readBody(context.req.raw, z.object({ folder: z.string() }));
    if (!isAbsolute(folder)) throw new AgentError('invalid_payload', 'body.folder: expected an absolute path');
    return context.json(await backup(folder));
  });
  return {
    app,
    routes: [{ method: 'POST', path: `${PATH}/backup`, scope: 'admin' }],
    tokenPrefixes: [PATH],
    failures: { prefix: PATH, toBody: (error) => ({ error }) },
  };
};
