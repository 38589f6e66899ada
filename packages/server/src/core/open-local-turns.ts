import { deleteSession } from '@qwen/sdk';
import { AgentPool } from '../agent/agent-pool.js';
import type { AgentLaunch } from '../agent/agent-process.js';
import type { EventLog } from '../log/event-log.js';
import type { SessionRecord } from '../store/session-record.js';
import type { SessionStore } from '../store/session-store.js';
import { LocalDispatcher } from './local-dispatcher.js';
import { LostTurns } from './lost-turns.js';
import type { OpenedTurns } from './open-turns.js';
import { recoverTurns } from './recover-turns.js';
import { TurnCloser } from './turn-closer.js';
import { TurnRunner } from './turn-runner.js';

export interface LocalTurnsOptions {
  readonly store: SessionStore;
  readonly log: EventLog;
  readonly launch: AgentLaunch;
  readonly maxAgents: number;
  readonly idleMs: number;
  readonly approvalTimeoutMs: number;
  readonly cancelGraceMs: number;
  /** Hears what goes wrong and is nobody's answer. Must not throw. */
  readonly onRemark: (remark: string) => void;
}

/** Turns for the one worker of this process, which takes up what a server before has left. Errors: what the stores say. */
export async function openLocalTurns(options: LocalTurnsOptions): Promise<OpenedTurns> {
  const { store, log, launch, maxAgents: maxLive, idleMs, approvalTimeoutMs, cancelGraceMs, onRemark } = options;
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
  await recoverTurns({ store, log, closer, dispatcher });
  return {
    dispatcher,
    liveAgents: () => agents.size,
    forgetConversation: (session) => forgetConversation(session, options),
    close: async ({ graceMs }) => {
      await dispatcher.close({ graceMs });
      lost.close();
      await agents.close({ graceMs: 1000 });
    },
  };
}

async function forgetConversation(session: SessionRecord, { launch, onRemark }: LocalTurnsOptions): Promise<void> {
  if (!session.isResumable) return;
  try {
    await deleteSession(session.id, launch);
  } catch (thrown) {
    onRemark(`the conversation of ${session.id} could not be removed: ${String(thrown)}`);
  }
}
