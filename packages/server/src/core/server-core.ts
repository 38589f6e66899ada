import type { PermissionMode } from '@qwen/protocol';
import { deleteSession } from '@qwen/sdk';
import { AgentPool } from '../agent/agent-pool.js';
import type { AgentLaunch } from '../agent/agent-process.js';
import type { EventLog } from '../log/event-log.js';
import type { SessionRecord } from '../store/session-record.js';
import type { SessionStore } from '../store/session-store.js';
import { LiveSessions } from './live-sessions.js';
import { LocalDispatcher } from './local-dispatcher.js';
import { LostTurns } from './lost-turns.js';
import { recoverTurns } from './recover-turns.js';
import type { SessionService } from './session-service.js';
import { TurnCloser } from './turn-closer.js';
import { TurnRunner } from './turn-runner.js';

export interface CoreOptions {
  /** Owned: closed with the core. */
  readonly store: SessionStore;
  /** Owned: closed with the core. */
  readonly log: EventLog;
  readonly launch: AgentLaunch;
  /** Absolute. */
  readonly workspace: string;
  readonly approvalMode: PermissionMode;
  readonly maxAgents: number;
  readonly maxQueuedTurns: number;
  readonly idleMs: number;
  readonly approvalTimeoutMs: number;
  readonly cancelGraceMs: number;
  /** Hears what goes wrong and is nobody's answer. Must not throw. */
  readonly onRemark: (remark: string) => void;
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
  const { store, log, launch, workspace, approvalMode, maxQueuedTurns, onRemark } = options;
  const { maxAgents: maxLive, idleMs, approvalTimeoutMs, cancelGraceMs } = options;
  const agents = new AgentPool({ launch, maxLive, idleMs });
  const closer = new TurnCloser({ store, log });
  const lost = new LostTurns({ store, log }, closer);
  const worker = new TurnRunner({ store, log, agents, approvalTimeoutMs, cancelGraceMs });
  const dispatcher = new LocalDispatcher({
    worker,
    onLost: (turn, thrown) => {
      onRemark(`the end of ${turn.id} could not be written: ${String(thrown)}`);
      lost.add(turn);
    },
  });
  const sessions = new LiveSessions({
    store,
    log,
    dispatcher,
    defaultWorkspace: workspace,
    defaultApprovalMode: approvalMode,
    maxQueuedTurns,
    forgetConversation: (session) => forgetConversation(session, options),
  });
  await recoverTurns({ store, log, closer, dispatcher });
  return {
    sessions,
    liveAgents: () => agents.size,
    stop: () => sessions.close(),
    close: async ({ graceMs }) => {
      sessions.close();
      await dispatcher.close({ graceMs });
      lost.close();
      await agents.close({ graceMs: 1000 });
      await log.close();
      await store.close();
    },
  };
}

async function forgetConversation(session: SessionRecord, { launch, onRemark }: CoreOptions): Promise<void> {
  if (!session.isResumable) return;
  try {
    await deleteSession(session.id, launch);
  } catch (thrown) {
    onRemark(`the conversation of ${session.id} could not be removed: ${String(thrown)}`);
  }
}
