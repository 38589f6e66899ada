import type { PermissionMode, SandboxOption } from '@qwen/protocol';
import { watchCore } from '../metrics/watch-core.js';
import type { SharedRedis } from '../store/opened-stores.js';
import { LiveSessions } from './live-sessions.js';
import { type LocalTurnsOptions, openLocalTurns } from './open-local-turns.js';
import type { OpenedTurns, ServerRole } from './open-turns.js';
import type { SessionService } from './session-service.js';
import type { WorkspaceFolders } from './workspace-folders.js';

export interface CoreOptions extends LocalTurnsOptions {
  readonly shared?: SharedRedis | undefined;
  readonly role: ServerRole;
  readonly leaseMs: number;
  /** Absolute. */
  readonly workspace: string;
  readonly folders: WorkspaceFolders;
  readonly approvalMode: PermissionMode;
  readonly sandboxLimit?: SandboxOption | undefined;
  readonly maxQueuedTurns: number;
}

export interface ServerCore {
  readonly sessions: SessionService;
  readonly liveAgents: () => number;
  /** Refuses new work; running turns continue. */
  stop(): void;
  close(options: { readonly graceMs: number }): Promise<void>;
}

/** Also recovers what a previous server left. Errors: those of the stores. */
export async function openCore(options: CoreOptions): Promise<ServerCore> {
  const { store, log, workspace, folders, approvalMode, sandboxLimit, maxQueuedTurns, logger, metrics } = options;
  const { dispatcher, liveAgents, waitingForAgent, close, ...conversations } = await openTurns(options);
  const sessions = new LiveSessions({
    store,
    log,
    dispatcher,
    defaultWorkspace: workspace,
    folders,
    defaultApprovalMode: approvalMode,
    sandboxLimit,
    maxQueuedTurns,
    logger,
    metrics,
    ...conversations,
  });
  if (metrics !== undefined) watchCore(metrics, { store, liveAgents, waitingForAgent });
  return {
    sessions,
    liveAgents,
    stop: () => sessions.close(),
    close: async ({ graceMs }) => {
      sessions.close();
      await close({ graceMs });
      await log.close();
      await store.close();
    },
  };
}

async function openTurns(options: CoreOptions): Promise<OpenedTurns> {
  const { shared, role } = options;
  if (shared === undefined) return openLocalTurns(options);
  const { openSharedTurns } = await import('./redis/open-shared-turns.js');
  return openSharedTurns({ ...options, shared, role });
}
