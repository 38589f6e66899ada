import { once } from 'node:events';
import type { Server } from 'node:http';
import { createAdaptorServer } from '@hono/node-server';
import { AgentError } from '@qwen/protocol';
import type { SurfaceApp } from './surface.js';

/** What slow clients get: streams of ours have no limit, what clients send has (F134, S72). */
const HEADERS_TIMEOUT_MS = 10_000;
const REQUEST_TIMEOUT_MS = 30_000;
const MAX_CONNECTIONS = 4096;
/** How long clients get to take what is on its way when the server ends. */
const FLUSH_MS = 500;

/** A Node.js server that answers with an app. */
export class HttpListener {
  readonly #server: Server;
  readonly #closed: Promise<unknown>;

  private constructor(server: Server) {
    this.#server = server;
    this.#closed = once(server, 'close');
  }

  /** Listens. Errors: `address_unavailable`, which names host and port (F131). */
  static async open(
    { port, host }: { readonly port: number; readonly host: string },
    appFor: (port: number) => SurfaceApp,
  ): Promise<HttpListener> {
    let app: SurfaceApp | undefined;
    const server = createAdaptorServer({
      // Nothing comes in before the port is known.
      fetch: (request, env) => app?.fetch(request, env) ?? new Response(null, { status: 503 }),
      serverOptions: {
        headersTimeout: HEADERS_TIMEOUT_MS,
        requestTimeout: REQUEST_TIMEOUT_MS,
        connectionsCheckingInterval: 1000,
      },
    }) as Server;
    server.maxConnections = MAX_CONNECTIONS;
    try {
      server.listen({ port, host });
      await once(server, 'listening');
    } catch (thrown) {
      const message = thrown instanceof Error ? thrown.message : String(thrown);
      throw new AgentError('address_unavailable', `The server cannot listen at ${host} port ${port}: ${message}`);
    }
    const listener = new HttpListener(server);
    app = appFor(listener.port);
    return listener;
  }

  get port(): number {
    const address = this.#server.address();
    return typeof address === 'object' && address !== null ? address.port : 0;
  }

  /** Takes no further connection; those that are open go on. */
  stopAccepting(): void {
    this.#server.close();
    this.#server.closeIdleConnections();
  }

  /** Drops what is connected, after a moment for what is on its way. Resolves when all are gone. */
  async close(): Promise<void> {
    this.stopAccepting();
    const timer = setTimeout(() => this.#server.closeAllConnections(), FLUSH_MS);
    await this.#closed;
    clearTimeout(timer);
  }
}
