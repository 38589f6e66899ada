import { AgentError } from '@qwen/protocol';
import { createChatSurface } from '../api/chat-surface.js';
import { createCloudSurface } from '../cloud/cloud-surface.js';
import type { ServerRole } from '../core/open-turns.js';
import type { ServerCore } from '../core/server-core.js';
import type { SessionSweep } from '../core/session-retention.js';
import type { SessionService } from '../core/session-service.js';
import type { WorkspaceFolders } from '../core/workspace-folders.js';
import { type AppOptions, createApp } from '../http/create-app.js';
import { HttpListener } from '../http/http-listener.js';
import { currentRequest } from '../http/request-context.js';
import { hostsOf, isLoopback, toUrl } from '../http/server-address.js';
import {
  createHealthSurface,
  createMetricsApp,
  createMetricsSurface,
  createOpenApiSurface,
} from '../http/service-surfaces.js';
import type { CreateSurface, Surface, SurfaceApp, SurfaceContext } from '../http/surface.js';
import { readTlsFiles, type TlsFiles } from '../http/tls-files.js';
import type { LogFields, ServerLogger } from '../logging/server-logger.js';
import { createAdminSurface } from '../maintenance/admin-surface.js';
import type { ServerMetrics } from '../metrics/server-metrics.js';
import { createPageSurface } from '../page/page-surface.js';
import { createRemoteSurface } from '../remote/remote-routes.js';
import type { ServerOptions } from './server-options.js';

export interface ListenOptions {
  /** 0 chooses a free port. Default 3000. */
  readonly port?: number | undefined;
  /** Any host other than loopback requires `requireAuth`. Default `127.0.0.1`. */
  readonly host?: string | undefined;
  /** TLS 1.2 or newer; changed files are read again. Default: plain HTTP. */
  readonly tls?: TlsFiles | undefined;
}

export interface Listening {
  /** Such as `http://127.0.0.1:3000`. */
  readonly url: string;
  readonly port: number;
  /** Stops listening; the sessions continue. */
  close(): Promise<void>;
}

/** `qwen serve` as a library. The caller closes it. */
export interface QwenServer extends AsyncDisposable {
  /** The sessions, without HTTP. */
  readonly core: ServerCore;
  /**
   * Handles a request, for mounting the server in another app; applies the same guards with the `hosts` of the
   * options. `env` are the bindings of `@hono/node-server`. Never rejects.
   */
  fetch(request: Request, env?: object): Promise<Response>;
  /**
   * Errors: `address_unavailable`; `shutting_down` after `close()`; `usage` for an address beyond loopback without
   * `requireAuth`, and for invalid `tls` files.
   */
  listen(options?: ListenOptions): Promise<Listening>;
  /**
   * Serves only `/metrics`, to any client without a token, for a network that only the monitoring can reach. Accepts
   * requests for addresses, `localhost`, the name of the machine, `host` and the option `hosts`. Errors:
   * `address_unavailable`; `usage` without the option `metrics`.
   */
  listenMetrics(options: Pick<ListenOptions, 'port' | 'host'>): Promise<Listening>;
  /**
   * Refuses new requests, gives running turns `graceMs` (default 2,000) to end, marks the rest as interrupted, ends
   * all streams and closes everything. Idempotent; never rejects.
   */
  close(options?: { readonly graceMs?: number }): Promise<void>;
}

/** In matching order. */
const SURFACES: readonly CreateSurface[] = [
  createHealthSurface,
  createMetricsSurface,
  createChatSurface,
  createOpenApiSurface,
  createCloudSurface,
  createRemoteSurface,
  createAdminSurface,
  createPageSurface,
];

/** A front runs no agents, so it serves no remote queries; a worker only serves health checks and metrics. */
function surfacesOf(role: ServerRole): readonly CreateSurface[] {
  if (role === 'worker') return [createHealthSurface, createMetricsSurface];
  return role === 'front' ? SURFACES.filter((create) => create !== createRemoteSurface) : SURFACES;
}

export interface RunningOptions extends Omit<ServerOptions, 'metrics'> {
  readonly onNotice: (notice: string, fault?: LogFields) => void;
  readonly logger: ServerLogger;
  readonly metrics: ServerMetrics | undefined;
  readonly access: Pick<AppOptions, 'tokens' | 'limiter'> & Pick<SurfaceContext, 'tickets' | 'links'>;
  readonly sessions: SessionService;
  readonly sweep: SessionSweep | undefined;
  readonly backup: SurfaceContext['backup'];
  readonly workspace: string;
  readonly folders: WorkspaceFolders;
}

export class RunningServer implements QwenServer {
  readonly core: ServerCore;
  readonly #options: RunningOptions;
  readonly #surfaces: readonly Surface[];
  readonly #listeners = new Set<HttpListener>();
  readonly #mounted: SurfaceApp;
  #closing: Promise<void> | undefined;

  constructor(core: ServerCore, options: RunningOptions) {
    this.core = core;
    this.#options = options;
    const { role = 'all', launch, fileRules, workspace, folders, metrics, sessions, access } = options;
    const { tickets, links } = access;
    const context = {
      ...core,
      sessions,
      allSessions: core.sessions,
      backup: this.#options.backup,
      tickets,
      links,
      launch,
      fileRules,
      workspace,
      folders,
      metrics,
      onFault: this.#onFault,
    };
    this.#surfaces = surfacesOf(role).map((create) => create(context));
    this.#mounted = this.#app({ hosts: [], sameUser: false });
  }

  async fetch(request: Request, env: object = {}): Promise<Response> {
    return this.#mounted.fetch(request, env);
  }

  async listen({ port = 3000, host = '127.0.0.1', tls: files }: ListenOptions = {}): Promise<Listening> {
    const isLocal = isLoopback(host);
    if (!isLocal && this.#options.requireAuth !== true) {
      throw new AgentError(
        'usage',
        `Other machines can reach ${host}. Set requireAuth to require the token on every route.`,
      );
    }
    // All users of the machine can reach loopback; only Linux can identify them.
    // With tokens on every route, a proxy may run as another user.
    const sameUser = isLocal && process.platform === 'linux' && this.#options.requireAuth !== true;
    const tls = files && (await readTlsFiles(files));
    const scheme = tls === undefined ? 'http' : 'https';
    const listener = await HttpListener.open({ port, host, tls }, (actualPort) =>
      this.#app({ hosts: hostsOf({ host, port: actualPort, scheme }), sameUser }),
    );
    if (files !== undefined) listener.reloadTls(files, (notice) => this.#options.onNotice(notice));
    return this.#opened(listener, { host, scheme });
  }

  async listenMetrics({ port = 0, host = '127.0.0.1' }: Pick<ListenOptions, 'port' | 'host'>): Promise<Listening> {
    const { metrics } = this.#options;
    if (metrics === undefined) throw new AgentError('usage', 'Set the option metrics to serve metrics.');
    const listener = await HttpListener.open({ port, host }, () =>
      createMetricsApp(metrics, [host, ...(this.#options.hosts ?? [])]),
    );
    return this.#opened(listener, { host, scheme: 'http' });
  }

  async #opened(
    listener: HttpListener,
    { host, scheme }: { readonly host: string; readonly scheme: 'http' | 'https' },
  ): Promise<Listening> {
    this.#listeners.add(listener);
    if (this.#closing !== undefined) {
      await listener.close();
      throw new AgentError('shutting_down', 'The server is shutting down.');
    }
    return {
      url: toUrl({ host, port: listener.port, scheme }),
      port: listener.port,
      close: async () => {
        await listener.close();
        this.#listeners.delete(listener);
      },
    };
  }

  close({ graceMs = 2000 }: { readonly graceMs?: number } = {}): Promise<void> {
    this.#closing ??= this.#close(graceMs);
    return this.#closing;
  }

  [Symbol.asyncDispose](): Promise<void> {
    return this.close();
  }

  async #close(graceMs: number): Promise<void> {
    this.core.stop();
    for (const listener of this.#listeners) listener.stopAccepting();
    await this.#options.sweep?.close();
    const report = (thrown: unknown) => this.#options.onNotice(`error while closing: ${String(thrown)}`);
    await Promise.all(this.#surfaces.map(async ({ close }) => close?.().catch(report)));
    await this.core.close({ graceMs }).catch(report);
    await Promise.all([...this.#listeners].map((listener) => listener.close().catch(report)));
  }

  #app({ hosts, sameUser }: Pick<AppOptions, 'hosts' | 'sameUser'>): SurfaceApp {
    const { token, requireAuth = false, origins = [], maxBodyBytes, logger, metrics, access } = this.#options;
    return createApp({
      surfaces: this.#surfaces,
      hosts: [...hosts, ...(this.#options.hosts ?? [])],
      origins,
      token,
      ...access,
      requireAuth,
      sameUser,
      maxBodyBytes,
      isClosing: () => this.#closing !== undefined,
      onFault: this.#onFault,
      logger,
      metrics,
    });
  }

  readonly #onFault = (errorId: string, thrown: unknown): void => {
    const fault = { error_id: errorId, http_request_id: currentRequest()?.id };
    this.#options.onNotice(`error ${errorId}: ${String(thrown)}`, fault);
  };
}
