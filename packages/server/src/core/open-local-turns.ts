import { deleteSession } from '@qwen/sdk';
import { AgentPool } from '../agent/agent-pool.js';
import type { AgentLaunch } from '../agent/agent-process.js';
import { forkConversation } from '../agent/fork-conversation.js';
import type { EventLog } from '../log/event-log.js';
import type { ServerLogger } from '../logging/server-logger.js';
import type { ServerMetrics } from '../metrics/server-metrics.js';
import type { SessionRecord } from '../store/session-record.js';
import type { SessionStore } from '../store/session-store.js';
import type { LiveTurnOptions } from './live-turn.js';
import { LocalDispatcher } from './local-dispatcher.js';
import type { OpenedTurns } from './open-turns.js';
import { recoverTurns } from './recover-turns.js';
import { TurnCloser } from './turn-closer.js';
import { TurnEndRetries } from './turn-end-retries.js';
import { TurnRunner } from './turn-runner.js';

export interface LocalTurnsOptions {
  readonly store: SessionStore;
  readonly log: EventLog;
  readonly launch: AgentLaunch;
  readonly maxAgents: number;
  readonly idleMs: number;
  readonly approvalTimeoutMs: number;
  readonly cancelGraceMs: number;
  readonly audit?: LiveTurnOptions['audit'];
  readonly logger?: ServerLogger | undefined;
  readonly metrics?: ServerMetrics | undefined;
  /** Must not throw. */
  readonly onNotice: (notice: string) => void;
}

/** Runs turns in this process, first those that a previous server left. */
export async function openLocalTurns(options: LocalTurnsOptions): Promise<OpenedTurns> {
  const { store, log, launch, maxAgents: maxLive, idleMs, approvalTimeoutMs, cancelGraceMs, onNotice } = options;
  const { logger, metrics, audit } = options;
  const agents = new AgentPool({ launch, maxLive, idleMs });
  const closer = new TurnCloser({ store, log, metrics });
  const retries = new TurnEndRetries({ store, log, metrics }, closer);
  const worker = new TurnRunner({ store, log, agents, approvalTimeoutMs, cancelGraceMs, audit, logger, metrics });
  const dispatcher = new LocalDispatcher({
    worker,
    onEndFailed: (turn, thrown) => {
      onNotice(`could not write the end of turn ${turn.id}, retrying: ${String(thrown)}`);
      retries.add(turn);
    },
  });
  await recoverTurns({ store, log, closer, dispatcher });
  return {
    dispatcher,
    liveAgents: () => agents.size,
    waitingForAgent: () => ({ turns: agents.waiting, longestMs: agents.longestWaitMs ?? 0 }),
    forkConversation: (fork) => forkConversation(fork, launch),
    deleteConversation: (session) => deleteConversation(session, options),
    close: async ({ graceMs }) => {
      await dispatcher.close({ graceMs });
      retries.close();
      await agents.close({ graceMs: 1000 });
    },
  };
}

async function deleteConversation(session: SessionRecord, { launch, onNotice }: LocalTurnsOptions): Promise<void> {
  if (!session.isResumable) return;
  try {
    await deleteSession(session.id, launch);
  } catch (thrown) {
    onNotice(`could not remove the conversation of session ${session.id}: ${String(thrown)}`);
  }
}
