import type { PermissionMode } from '@qwen/protocol';
import type { SharedPlace } from '../store/opened-stores.js';
import { LiveSessions } from './live-sessions.js';
import { type LocalTurnsOptions, openLocalTurns } from './open-local-turns.js';
import type { OpenedTurns, ServerRole } from './open-turns.js';
import type { SessionService } from './session-service.js';

/** The store and the log are owned: closed with the core. */
export interface CoreOptions extends LocalTurnsOptions {
  /** What other processes have too. Default: this process is alone. */
  readonly shared?: SharedPlace | undefined;
  /** Counts only beside other processes. */
  readonly role: ServerRole;
  /** How long a lease of a session holds without being renewed, in milliseconds. Counts only beside other processes. */
  readonly leaseMs: number;
  /** Absolute. */
  readonly workspace: string;
  readonly approvalMode: PermissionMode;
  readonly maxQueuedTurns: number;
}

/** Sessions, their log and their agents: the server without HTTP. */
export interface ServerCore {
  readonly sessions: SessionService;
  /** How many agents are awake. */
  readonly liveAgents: () => number;
  /** Takes nothing new from now on; what runs goes on. */
  stop(): void;
  /** Lets running turns end for so long, stops the rest, closes everything. */
  close(options: { readonly graceMs: number }): Promise<void>;
}

/** Puts the core together and takes up what a server before has left. Errors: what the stores say. */
export async function openCore(options: CoreOptions): Promise<ServerCore> {
  const { store, log, workspace, approvalMode, maxQueuedTurns } = options;
  const { dispatcher, liveAgents, forgetConversation, close } = await openTurns(options);
  const sessions = new LiveSessions({
    store,
    log,
    dispatcher,
    defaultWorkspace: workspace,
    defaultApprovalMode: approvalMode,
    maxQueuedTurns,
    forgetConversation,
  });
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

/** What several processes share is played by those of them that have a worker; everything else by this one. */
async function openTurns(options: CoreOptions): Promise<OpenedTurns> {
  const { shared, role } = options;
  if (shared === undefined) return openLocalTurns(options);
  const { openSharedTurns } = await import('./redis/open-shared-turns.js');
  return openSharedTurns({ ...options, shared, role });
}
