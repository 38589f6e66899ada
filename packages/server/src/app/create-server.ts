import { realpath, stat } from 'node:fs/promises';
import { isAbsolute } from 'node:path';
import { AgentError, escapeHidden } from '@qwen/protocol';
import { dataFolderOf } from '../agent/agent-folders.js';
import type { AgentLaunch } from '../agent/agent-process.js';
import { createChatSurface } from '../api/chat-surface.js';
import { createCloudSurface } from '../cloud/cloud-surface.js';
import { appendAudit } from '../core/audit-log.js';
import { CallerSessions } from '../core/caller-sessions.js';
import { checkQuota } from '../core/check-quota.js';
import type { LiveTurnOptions } from '../core/live-turn.js';
import type { ServerRole } from '../core/open-turns.js';
import { openCore, type ServerCore } from '../core/server-core.js';
import { SessionSweep, type SessionSweepOptions } from '../core/session-retention.js';
import type { SessionService } from '../core/session-service.js';
import { WorkspaceFolders } from '../core/workspace-folders.js';
import { AccessTokens } from '../guard/access-tokens.js';
import { RequestLimiter } from '../guard/request-limiter.js';
import { StreamTickets } from '../guard/stream-tickets.js';
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
import { type LogFields, type ServerLogger, SILENT } from '../logging/server-logger.js';
import { createAdminSurface } from '../maintenance/admin-surface.js';
import type { ServerMetrics } from '../metrics/server-metrics.js';
import { createPageSurface } from '../page/page-surface.js';
import { createRemoteSurface } from '../remote/remote-routes.js';
import { openStores } from '../store/open-stores.js';
import type { OpenedStores } from '../store/opened-stores.js';
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
   * Serves only `/metrics`, to any client without a token, for a network that only the monitoring can reach. Errors:
   * `address_unavailable`; `usage` without the option `metrics`.
   */
  listenMetrics(options: Pick<ListenOptions, 'port' | 'host'>): Promise<Listening>;
  /**
   * Refuses new requests, gives running turns `graceMs` (default 2,000) to end, marks the rest as interrupted, ends
   * all streams and closes everything. Idempotent; never rejects.
   */
  close(options?: { readonly graceMs?: number }): Promise<void>;
}

/**
 * Opens the stores and recovers what a previous server left. Errors: those of the stores, such as `storage_busy`;
 * `usage` for an invalid option.
 */
export async function createServer(options: ServerOptions): Promise<QwenServer> {
  checkOrigins(options.origins ?? []);
  const { role = 'all', logger = SILENT } = options;
  const metrics =
    options.metrics === true ? new (await import('../metrics/server-metrics.js')).ServerMetrics() : undefined;
  const onNotice = (notice: string, fault?: LogFields) => {
    options.onNotice?.(notice);
    logger[fault === undefined ? 'warn' : 'error'](fault ?? {}, notice);
    metrics?.notices.inc();
  };
  const { folders, workspace, launch } = await chooseFolders({
    ...options,
    launch: sandboxedLaunch(options),
    onNotice,
  });
  const { warnings = [], ...stores } = await openStores(options.store, { ...options.log, metrics });
  for (const warning of warnings) onNotice(warning);
  if (role !== 'all' && stores.shared === undefined) {
    await closeStores(stores);
    throw new AgentError(
      'usage',
      `The role ${role} requires a store in Redis, which the processes of a cluster share.`,
    );
  }
  const core = await openCore({
    ...stores,
    role,
    leaseMs: options.leaseMs ?? 15_000,
    launch,
    workspace,
    folders,
    approvalMode: options.approvalMode ?? 'default',
    ...(options.allowLooserSandbox !== true && { sandboxLimit: options.sandbox }),
    maxAgents: options.maxAgents ?? 32,
    maxQueuedTurns: options.maxQueuedTurns ?? 32,
    idleMs: options.idleMs ?? 60_000,
    approvalTimeoutMs: options.approvalTimeoutMs ?? 60_000,
    cancelGraceMs: options.cancelGraceMs ?? 5000,
    onNotice,
    logger,
    metrics,
    audit: audit(options.auditFile, onNotice),
  }).catch(async (thrown: unknown) => {
    await closeStores(stores);
    throw thrown;
  });
  const { tokensFile, token } = options;
  const tokens = tokensFile === undefined ? undefined : new AccessTokens(tokensFile);
  const access = {
    tokens,
    tickets: new StreamTickets(token, tokens),
    limiter: new RequestLimiter(stores.shared?.redis),
  };
  const sessions = new CallerSessions({
    sessions: core.sessions,
    checkQuota: (caller) => checkQuota(caller, stores.store),
  });
  return new RunningServer(core, {
    ...options,
    workspace,
    folders,
    launch,
    onNotice,
    logger,
    metrics,
    access,
    sessions,
    sweep: openSweep(options, { sessions: core.sessions, metrics, onNotice }),
    backup: async (folder) => (await import('../maintenance/backup.js')).writeBackup(folder, { ...stores, launch }),
  });
}

/** Of an extension or an app. */
const OTHER_ORIGIN = /^[a-z][\d+.a-z-]*:\/\/[\w.:-]+$/;

/** Any page can have the origin `null`, and others would have no effect. Errors: `usage`. */
function checkOrigins(origins: readonly string[]): void {
  const wrong = origins.find((origin) =>
    /^https?:/i.test(origin) ? URL.parse(origin)?.origin !== origin : !OTHER_ORIGIN.test(origin),
  );
  if (wrong === undefined) return;
  const expected = 'expected a scheme, a host and a port if it is not the default, such as https://app.example';
  throw new AgentError('usage', `The allowed origin ${escapeHidden(wrong)} is invalid: ${expected}.`);
}

/** Errors: `usage` for a workspace or a limit that cannot be one. */
async function chooseFolders({
  workspace: named,
  workspaceRoots = [],
  launch = {},
  store,
  onNotice = () => undefined,
}: ServerOptions): Promise<Pick<RunningOptions, 'workspace' | 'folders'> & { readonly launch: AgentLaunch }> {
  const limits = await Promise.all(workspaceRoots.map(findLimit));
  const secretFolders = [dataFolderOf(launch), ...(isAbsolute(store) ? [store] : [])];
  const folders = new WorkspaceFolders({ limits, secretFolders });
  const workspace = named ?? process.cwd();
  const problem = await folders.find(workspace, workspace).then(
    () => undefined,
    (thrown: unknown) => AgentError.from(thrown),
  );
  if (problem !== undefined && named !== undefined) throw new AgentError('usage', problem.message, { cause: problem });
  if (problem !== undefined) onNotice(`${problem.message} Sessions have to name a workspace.`);
  if (limits.length === 0) return { folders, workspace, launch };
  // Agents apply the limit to folders that a message, a setting or a flag adds.
  return {
    folders,
    workspace,
    launch: { ...launch, env: { ...launch.env, QWEN_WORKSPACE_ROOTS: JSON.stringify(limits) } },
  };
}

/** Agents apply the limit to what sessions and remote queries select. */
function sandboxedLaunch({ launch, sandbox, allowLooserSandbox }: ServerOptions): AgentLaunch {
  const limit = allowLooserSandbox === true ? undefined : 'tighten';
  const env = { ...launch?.env, QWEN_SANDBOX_LIMIT: limit, ...(sandbox !== undefined && { QWEN_SANDBOX: sandbox }) };
  return { ...launch, env };
}

async function findLimit(path: string): Promise<string> {
  const folder = await realpath(path).catch(() => undefined);
  if (folder !== undefined && (await stat(folder)).isDirectory()) return folder;
  throw new AgentError('usage', `The workspace root ${path} does not exist or is not a folder.`);
}

async function closeStores({ store, log, shared }: OpenedStores): Promise<void> {
  shared?.subscriber.disconnect();
  await shared?.close();
  await log.close();
  await store.close();
}

function audit(path: string | undefined, onNotice: (notice: string) => void): LiveTurnOptions['audit'] {
  if (path === undefined) return undefined;
  return async (entry) => {
    try {
      await appendAudit(path, entry);
    } catch (thrown) {
      onNotice(`cannot write the audit log, so the call is denied: ${String(thrown)}`);
      throw thrown;
    }
  };
}

function openSweep(
  { role, sessionRetention: retention = {} }: ServerOptions,
  parts: Omit<SessionSweepOptions, 'retention'>,
): SessionSweep | undefined {
  const isLimited = retention.maxAgeMs !== undefined || retention.maxSessions !== undefined;
  return isLimited && role !== 'front' ? new SessionSweep({ ...parts, retention }) : undefined;
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

interface RunningOptions extends Omit<ServerOptions, 'metrics'> {
  readonly onNotice: (notice: string, fault?: LogFields) => void;
  readonly logger: ServerLogger;
  readonly metrics: ServerMetrics | undefined;
  readonly access: Pick<AppOptions, 'tokens' | 'limiter'> & { readonly tickets: StreamTickets };
  readonly sessions: SessionService;
  readonly sweep: SessionSweep | undefined;
  readonly backup: SurfaceContext['backup'];
  readonly workspace: string;
  readonly folders: WorkspaceFolders;
}

class RunningServer implements QwenServer {
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
    const { tickets } = access;
    const context = {
      ...core,
      sessions,
      allSessions: core.sessions,
      backup: this.#options.backup,
      tickets,
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
    const sameUser = isLocal && process.platform === 'linux';
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
    const listener = await HttpListener.open({ port, host }, () => createMetricsApp(metrics));
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
