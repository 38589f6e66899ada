import { once } from 'node:events';
import { unwatchFile, watchFile } from 'node:fs';
import type { Server } from 'node:http';
import { createServer as createTlsServer, Server as TlsServer } from 'node:https';
import { createAdaptorServer } from '@hono/node-server';
import { AgentError, messageOf } from '@qwen/protocol';
import { ConnectionLimiter } from './connection-limiter.js';
import type { SurfaceApp } from './surface.js';
import { readTlsFiles, type TlsFiles, type TlsMaterial } from './tls-files.js';

/** Limits for slow clients. Response streams have none. */
export interface ListenerLimits {
  readonly headersMs: number;
  readonly requestMs: number;
  readonly checkIntervalMs: number;
  readonly maxConnections: number;
}

export const LISTENER_LIMITS: ListenerLimits = {
  headersMs: 10_000,
  requestMs: 30_000,
  checkIntervalMs: 1000,
  maxConnections: 4096,
};

export interface ListenerOptions {
  readonly port: number;
  readonly host: string;
  readonly tls?: TlsMaterial | undefined;
  readonly limits?: ListenerLimits | undefined;
}

const FLUSH_MS = 500;
const RELOAD_MS = 2000;

export class HttpListener {
  readonly #server: Server;
  readonly #closed: Promise<unknown>;

  private constructor(server: Server) {
    this.#server = server;
    this.#closed = once(server, 'close');
  }

  /** Errors: `address_unavailable`. */
  static async open(
    { port, host, tls, limits = LISTENER_LIMITS }: ListenerOptions,
    appFor: (port: number) => SurfaceApp,
  ): Promise<HttpListener> {
    let app: SurfaceApp | undefined;
    const server = createAdaptorServer({
      // No request arrives before the port is known.
      fetch: (request, env) => app?.fetch(request, env) ?? new Response(null, { status: 503 }),
      ...(tls !== undefined && { createServer: createTlsServer }),
      serverOptions: {
        headersTimeout: limits.headersMs,
        requestTimeout: limits.requestMs,
        connectionsCheckingInterval: limits.checkIntervalMs,
        // A lenient parser enables request smuggling.
        insecureHTTPParser: false,
        ...(tls !== undefined && { ...tls, minVersion: 'TLSv1.2', handshakeTimeout: limits.headersMs }),
      },
    }) as Server;
    ConnectionLimiter.watch(server, limits.maxConnections);
    try {
      server.listen({ port, host });
      await once(server, 'listening');
    } catch (thrown) {
      const message = messageOf(thrown);
      const advice = message.includes('EADDRINUSE') ? '. Choose another port' : '';
      throw new AgentError('address_unavailable', `Cannot listen on ${host} port ${port}: ${message}${advice}`);
    }
    const listener = new HttpListener(server);
    app = appFor(listener.port);
    return listener;
  }

  get port(): number {
    const address = this.#server.address();
    return typeof address === 'object' && address !== null ? address.port : 0;
  }

  /** New connections get a changed certificate; an invalid one is reported and the previous one stays. */
  reloadTls(files: TlsFiles, onNotice: (notice: string) => void): void {
    const server = this.#server;
    if (!(server instanceof TlsServer)) return;
    const reload = async () => {
      try {
        server.setSecureContext({ ...(await readTlsFiles(files)), minVersion: 'TLSv1.2' });
      } catch (thrown) {
        onNotice(`keeping the previous certificate: ${messageOf(thrown)}`);
      }
    };
    const onChange = () => void reload();
    const paths = [files.certFile, files.keyFile];
    // Polling also notices the links that Kubernetes replaces.
    for (const path of paths) watchFile(path, { interval: RELOAD_MS, persistent: false }, onChange);
    server.once('close', () => {
      for (const path of paths) unwatchFile(path, onChange);
    });
  }

  /** Open connections continue. */
  stopAccepting(): void {
    this.#server.close();
    this.#server.closeIdleConnections();
  }

  async close(): Promise<void> {
    this.stopAccepting();
    const timer = setTimeout(() => this.#server.closeAllConnections(), FLUSH_MS);
    await this.#closed;
    clearTimeout(timer);
  }
}
