import type { MiddlewareHandler } from 'hono';
import { errorResponse } from '../src/http/error-response.js';
import { startServer, type TestServer } from './http-server.js';

/** A server that keeps what got past its guards. */
export interface GuardedServer extends TestServer {
  /** `METHOD path body` of each request that reached a handler. */
  readonly reached: readonly string[];
}

/** A server whose every route, real or not, is behind the guards; all it does is to note what reaches it. */
export async function startGuardedServer(
  guards: (port: number) => readonly MiddlewareHandler[],
): Promise<GuardedServer> {
  const reached: string[] = [];
  const server = await startServer((app, port) => {
    app.onError((error) => errorResponse(error));
    app.use(...guards(port));
    app.all('/echo', async (context) => {
      const body = await context.req.text();
      reached.push(`${context.req.method} /echo ${body.length < 100 ? body : body.length}`);
      return context.json({ ok: true });
    });
  });
  return Object.assign(server, { reached });
}
