import { AgentError } from '@qwen/protocol';
import { createChatSurface } from '../api/chat-surface.js';
import { createCloudSurface } from '../cloud/cloud-surface.js';
import type { ServerRole } from '../core/open-turns.js';
import { openCore, type ServerCore } from '../core/server-core.js';
import { type AppOptions, createApp } from '../http/create-app.js';
import { HttpListener } from '../http/http-listener.js';
import { hostsOf, isLoopback, toUrl } from '../http/server-address.js';
import { createHealthSurface, createOpenApiSurface } from '../http/service-surfaces.js';
import type { CreateSurface, Surface, SurfaceApp } from '../http/surface.js';
import { readTlsFiles, type TlsFiles } from '../http/tls-files.js';
import { createPageSurface } from '../page/page-surface.js';
import { createRemoteSurface } from '../remote/remote-surface.js';
import { openStores } from '../store/open-stores.js';
import type { OpenedStores } from '../store/opened-stores.js';
import type { ServerOptions } from './server-options.js';

/** Where a server listens. */
export interface ListenOptions {
  /** 0: any that is free. Default 3000. */
  readonly port?: number | undefined;
  /** Default `127.0.0.1`. Any other than loopback is reached by other machines, and needs `requireAuth`. */
  readonly host?: string | undefined;
  /** Speak TLS 1.2 or newer. Default: plain HTTP. */
  readonly tls?: TlsFiles | undefined;
}

/** One address that a server listens at. */
export interface Listening {
  /** Such as `http://127.0.0.1:3000`. */
  readonly url: string;
  readonly port: number;
  /** Stops listening there; the sessions go on. */
  close(): Promise<void>;
}

/** `qwen serve` as a part of a program. Whoever makes it closes it. */
export interface QwenServer extends AsyncDisposable {
  /** Everything that the HTTP surfaces are made of. */
  readonly core: ServerCore;
  /**
   * Answers a request, for mounting in an app of one's own: behind the same guards, for the `hosts` of the options.
   * Never rejects. `env` is what `@hono/node-server` gives.
   */
  fetch(request: Request, env?: object): Promise<Response>;
  /**
   * Errors: `address_unavailable`; `usage` for an address that other machines reach without `requireAuth`, and for files
   * of `tls` that cannot be used.
   */
  listen(options?: ListenOptions): Promise<Listening>;
  /**
   * Takes nothing new, lets running turns end for `graceMs` (default 2,000) and marks the rest as interrupted, tells
   * whoever follows a session, and closes everything. Never rejects; twice is as good as once.
   */
  close(options?: { readonly graceMs?: number }): Promise<void>;
}

/**
 * Opens the stores, takes up what a server before has left, and is ready to answer. Errors: those of the stores, such as
 * `storage_busy` when another server has them.
 */
export async function createServer(options: ServerOptions): Promise<QwenServer> {
  const { role = 'all', onRemark = () => undefined } = options;
  const { remarks = [], ...stores } = await openStores(options.store, options.log);
  for (const remark of remarks) onRemark(remark);
  if (role !== 'all' && stores.shared === undefined) {
    await closeStores(stores);
    throw new AgentError('usage', `A ${role} shares its sessions with other processes: that needs a store in Redis.`);
  }
  const core = await openCore({
    ...stores,
    role,
    leaseMs: options.leaseMs ?? 15_000,
    launch: options.launch ?? {},
    workspace: options.workspace ?? process.cwd(),
    approvalMode: options.approvalMode ?? 'default',
    maxAgents: options.maxAgents ?? 32,
    maxQueuedTurns: options.maxQueuedTurns ?? 32,
    idleMs: options.idleMs ?? 60_000,
    approvalTimeoutMs: options.approvalTimeoutMs ?? 60_000,
    cancelGraceMs: options.cancelGraceMs ?? 5000,
    onRemark,
  }).catch(async (thrown: unknown) => {
    await closeStores(stores);
    throw thrown;
  });
  return new RunningServer(core, options);
}

async function closeStores({ store, log, shared }: OpenedStores): Promise<void> {
  shared?.subscriber.disconnect();
  await log.close();
  await store.close();
}

/** Everything that the server answers, in the order in which it is asked. */
const SURFACES: readonly CreateSurface[] = [
  createHealthSurface,
  createChatSurface,
  createOpenApiSurface,
  createCloudSurface,
  createRemoteSurface,
  createPageSurface,
];

/** What a process of this role answers. Queries of apps elsewhere run here, so a front has none; a worker only says how it is. */
function surfacesOf(role: ServerRole): readonly CreateSurface[] {
  if (role === 'worker') return [createHealthSurface];
  return role === 'front' ? SURFACES.filter((create) => create !== createRemoteSurface) : SURFACES;
}

class RunningServer implements QwenServer {
  readonly core: ServerCore;
  readonly #options: ServerOptions;
  readonly #surfaces: readonly Surface[];
  readonly #listeners = new Set<HttpListener>();
  readonly #mounted: SurfaceApp;
  #closing: Promise<void> | undefined;

  constructor(core: ServerCore, options: ServerOptions) {
    this.core = core;
    this.#options = options;
    const { role = 'all', launch, fileRules, workspace } = options;
    const context = { ...core, launch, fileRules, workspace, onFault: this.#onFault };
    this.#surfaces = surfacesOf(role).map((create) => create(context));
    this.#mounted = this.#app({ hosts: [], sameUser: false });
  }

  async fetch(request: Request, env: object = {}): Promise<Response> {
    return this.#mounted.fetch(request, env);
  }

  async listen({ port = 3000, host = '127.0.0.1', tls: files }: ListenOptions = {}): Promise<Listening> {
    const isLocal = isLoopback(host);
    if (!isLocal && this.#options.requireAuth !== true) {
      throw new AgentError('usage', `Other machines reach ${host}: that needs a token on every route (requireAuth).`);
    }
    // Who may open a socket on loopback is anybody on this machine; only Linux says who it was.
    const sameUser = isLocal && process.platform === 'linux';
    const tls = files && (await readTlsFiles(files));
    const scheme = tls === undefined ? 'http' : 'https';
    const listener = await HttpListener.open({ port, host, tls }, (actualPort) =>
      this.#app({ hosts: hostsOf({ host, port: actualPort, scheme }), sameUser }),
    );
    this.#listeners.add(listener);
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
    const report = (thrown: unknown) => this.#options.onRemark?.(`while closing: ${String(thrown)}`);
    await Promise.all(this.#surfaces.map(async ({ close }) => close?.().catch(report)));
    await this.core.close({ graceMs }).catch(report);
    await Promise.all([...this.#listeners].map((listener) => listener.close().catch(report)));
  }

  #app({ hosts, sameUser }: Pick<AppOptions, 'hosts' | 'sameUser'>): SurfaceApp {
    const { token, requireAuth = false, origins = [], maxBodyBytes } = this.#options;
    return createApp({
      surfaces: this.#surfaces,
      hosts: [...hosts, ...(this.#options.hosts ?? [])],
      origins,
      token,
      requireAuth,
      sameUser,
      maxBodyBytes,
      isClosing: () => this.#closing !== undefined,
      onFault: this.#onFault,
    });
  }

  readonly #onFault = (errorId: string, thrown: unknown): void => {
    this.#options.onRemark?.(`fault ${errorId}: ${String(thrown)}`);
  };
}
