import { once } from 'node:events';
import type { Server } from 'node:http';
import { type HttpBindings, serve } from '@hono/node-server';
import { Hono } from 'hono';

export type TestApp = Hono<{ Bindings: HttpBindings }>;

/** A real server on loopback. Close it with `await using`: it drops what is connected. */
export interface TestServer extends AsyncDisposable {
  readonly port: number;
  /** `http://127.0.0.1:port`. */
  readonly url: string;
  /** Resolves when this number of connections have closed. */
  closedConnections(count: number): Promise<void>;
}

/** Serves an app that is made once its port is known. */
export async function startServer(build: (app: TestApp, port: number) => void): Promise<TestServer> {
  const app: TestApp = new Hono<{ Bindings: HttpBindings }>();
  const server = serve({ fetch: app.fetch, port: 0, hostname: '127.0.0.1' }) as Server;
  await once(server, 'listening');
  const address = server.address();
  if (address === null || typeof address === 'string') throw new Error('no port');
  const { port } = address;
  build(app, port);
  let closed = 0;
  const waiting = new Set<() => void>();
  server.on('connection', (socket) => {
    socket.once('close', () => {
      closed += 1;
      for (const look of waiting) look();
    });
  });
  return {
    port,
    url: `http://127.0.0.1:${port}`,
    closedConnections: (count) =>
      new Promise((resolve) => {
        const look = () => {
          if (closed < count) return;
          waiting.delete(look);
          resolve();
        };
        waiting.add(look);
        look();
      }),
    async [Symbol.asyncDispose]() {
      const ended = once(server, 'close');
      server.close();
      server.closeAllConnections();
      await ended;
    },
  };
}
