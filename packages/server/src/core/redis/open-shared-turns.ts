import { randomUUID } from 'node:crypto';
import { conversationFileOf } from '../../agent/agent-folders.js';
import { AgentPool } from '../../agent/agent-pool.js';
import type { SharedRedis } from '../../store/opened-stores.js';
import { RedisSessionStore } from '../../store/redis/redis-session-store.js';
import { flushOutbox } from '../end-turn.js';
import type { LocalTurnsOptions } from '../open-local-turns.js';
import type { OpenedTurns, ServerRole } from '../open-turns.js';
import { TurnRunner } from '../turn-runner.js';
import { ConversationSync } from './conversation-sync.js';
import { LeaseManager } from './lease-manager.js';
import { RedisRpc } from './redis-rpc.js';
import { fencedLog, type Lease, SessionLeases } from './session-leases.js';
import { SharedDispatcher } from './shared-dispatcher.js';

export interface SharedTurnsOptions extends LocalTurnsOptions {
  readonly shared: SharedRedis;
  readonly role: ServerRole;
  readonly leaseMs: number;
}

/** Runs turns on the workers of all processes; a front has none. */
export async function openSharedTurns(options: SharedTurnsOptions): Promise<OpenedTurns> {
  const { store, log, shared, role, leaseMs, onNotice } = options;
  const { keyspace, redis, subscriber } = shared;
  const processId = randomUUID();
  const leases = new SessionLeases({ keyspace, processId, leaseMs });
  const rpc = new RedisRpc({ processId, keys: keyspace.keys, redis, subscriber });
  let worker: ReturnType<typeof openWorker> | undefined;
  await flushOutbox({ store, log });
  await rpc.open({
    onTurn: (sessionId) => worker?.manager.wake(sessionId),
    onWork: () => worker?.manager.take(),
    handle: async (sessionId, command) => worker?.manager.handle(sessionId, command) ?? 'elsewhere',
  });
  // Last: it starts to work at once.
  if (role !== 'front') worker = openWorker(options, leases);
  const dispatcher = new SharedDispatcher({ leases, rpc, manager: worker?.manager });
  return {
    dispatcher,
    liveAgents: () => worker?.agents.size ?? 0,
    // The file was removed with the lease.
    deleteConversation: async ({ id }) => {
      await shared.conversations.delete(id).catch((thrown: unknown) => {
        onNotice(`could not remove the conversation of session ${id}: ${String(thrown)}`);
      });
    },
    close: async ({ graceMs }) => {
      await dispatcher.close({ graceMs });
      await worker?.agents.close({ graceMs: 1000 });
    },
  };
}

function openWorker(options: SharedTurnsOptions, leases: SessionLeases) {
  const { store, log, shared, launch, maxAgents, idleMs, approvalTimeoutMs, cancelGraceMs, onNotice } = options;
  const { keyspace, conversations } = shared;
  const agents = new AgentPool({
    launch,
    maxLive: maxAgents,
    idleMs,
    onExit: (sessionId) => manager.wake(sessionId),
  });
  const contextOf = (lease: Lease) => ({
    store: new RedisSessionStore(keyspace, lease),
    log: fencedLog(log, lease.fence),
    conversation: new ConversationSync({
      lease,
      path: conversationFileOf(launch, lease.sessionId),
      conversations,
    }),
  });
  const manager = new LeaseManager({
    leases,
    worker: new TurnRunner({ store, log, agents, approvalTimeoutMs, cancelGraceMs }),
    maxBusy: maxAgents,
    contextOf,
    onRound: () => flushOutbox({ store, log }),
    onNotice,
  });
  return { agents, manager };
}
