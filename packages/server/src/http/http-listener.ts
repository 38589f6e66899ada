import { once } from 'node:events';
import type { Server } from 'node:http';
import { createServer as createTlsServer } from 'node:https';
import { createAdaptorServer } from '@hono/node-server';
import { AgentError } from '@qwen/protocol';
import { ConnectionRoom } from './connection-limiter.js';
import type { SurfaceApp } from './surface.js';
import type { TlsMaterial } from './tls-files.js';

/** What slow clients get: streams of ours have no limit, what clients send has (F134, S72). */
export interface ListenerLimits {
  /** For the head of a request, counted from the connection or from the request before, in milliseconds. */
  readonly headersMs: number;
  /** For a whole request, in milliseconds. */
  readonly requestMs: number;
  /** How often both are looked after, in milliseconds. */
  readonly lookMs: number;
  readonly maxConnections: number;
}

export const LISTENER_LIMITS: ListenerLimits = {
  headersMs: 10_000,
  requestMs: 30_000,
  lookMs: 1000,
  maxConnections: 4096,
};

export interface ListenerOptions {
  readonly port: number;
  readonly host: string;
  /** Default: without TLS. */
  readonly tls?: TlsMaterial | undefined;
  /** Default {@link LISTENER_LIMITS}. */
  readonly limits?: ListenerLimits | undefined;
}

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
    { port, host, tls, limits = LISTENER_LIMITS }: ListenerOptions,
    appFor: (port: number) => SurfaceApp,
  ): Promise<HttpListener> {
    let app: SurfaceApp | undefined;
    const server = createAdaptorServer({
      // Nothing comes in before the port is known.
      fetch: (request, env) => app?.fetch(request, env) ?? new Response(null, { status: 503 }),
      ...(tls !== undefined && { createServer: createTlsServer }),
      serverOptions: {
        headersTimeout: limits.headersMs,
        requestTimeout: limits.requestMs,
        connectionsCheckingInterval: limits.lookMs,
        // Whatever the flags of the process say: a lenient parser and a proxy may see different requests (S73).
        insecureHTTPParser: false,
        ...(tls !== undefined && { ...tls, minVersion: 'TLSv1.2', handshakeTimeout: limits.headersMs }),
      },
    }) as Server;
    ConnectionRoom.watch(server, limits.maxConnections);
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
