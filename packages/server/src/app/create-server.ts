import { realpath, stat } from 'node:fs/promises';
import { isAbsolute } from 'node:path';
import { AgentError, escapeHidden } from '@qwen/protocol';
import { dataFolderOf, withAbsoluteHome } from '../agent/agent-folders.js';
import type { AgentLaunch } from '../agent/agent-process.js';
import { appendAudit } from '../core/audit-log.js';
import { CallerSessions } from '../core/caller-sessions.js';
import { checkQuota } from '../core/check-quota.js';
import type { LiveTurnOptions } from '../core/live-turn.js';
import { openCore } from '../core/server-core.js';
import { SessionSweep, type SessionSweepOptions } from '../core/session-retention.js';
import { WorkspaceFolders } from '../core/workspace-folders.js';
import { AccessTokens } from '../guard/access-tokens.js';
import { RequestLimiter } from '../guard/request-limiter.js';
import { ShareLinks } from '../guard/share-links.js';
import { StreamTickets } from '../guard/stream-tickets.js';
import { type LogFields, SILENT } from '../logging/server-logger.js';
import { openStores } from '../store/open-stores.js';
import type { OpenedStores } from '../store/opened-stores.js';
import { type QwenServer, type RunningOptions, RunningServer } from './running-server.js';
import type { ServerOptions } from './server-options.js';

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
    links: new ShareLinks({ token, findSession: (sessionId) => core.sessions.get(sessionId) }),
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

/** The origin of a browser extension or an app. */
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
  if (problem !== undefined) onNotice(`${problem.message} Each session must set a workspace.`);
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
  return withAbsoluteHome({ ...launch, env });
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
