import { randomUUID } from 'node:crypto';
import { conversationFileOf } from '../../agent/agent-folders.js';
import { AgentPool } from '../../agent/agent-pool.js';
import type { SharedPlace } from '../../store/opened-stores.js';
import { RedisSessionStore } from '../../store/redis/redis-session-store.js';
import { tellEnds } from '../end-turn.js';
import type { LocalTurnsOptions } from '../open-local-turns.js';
import type { OpenedTurns, ServerRole } from '../open-turns.js';
import { TurnRunner } from '../turn-runner.js';
import { PostOffice } from './post-office.js';
import { SessionKeeper } from './session-keeper.js';
import { fencedLog, type Lease, SessionLeases } from './session-leases.js';
import { SharedDispatcher } from './shared-dispatcher.js';
import { TravellingConversation } from './travelling-conversation.js';

export interface SharedTurnsOptions extends LocalTurnsOptions {
  readonly shared: SharedPlace;
  readonly role: ServerRole;
  readonly leaseMs: number;
}

/** Turns for the workers of all processes at one Redis. A front has none of its own. Errors: what the stores say. */
export async function openSharedTurns(options: SharedTurnsOptions): Promise<OpenedTurns> {
  const { store, log, shared, role, leaseMs, onRemark } = options;
  const { facts, redis, subscriber } = shared;
  const processId = randomUUID();
  const leases = new SessionLeases({ facts, processId, leaseMs });
  const post = new PostOffice({ processId, keys: facts.keys, redis, subscriber });
  let worker: ReturnType<typeof openWorker> | undefined;
  await tellEnds({ store, log });
  await post.open({
    onTurn: (sessionId) => worker?.keeper.wake(sessionId),
    onWork: () => worker?.keeper.look(),
    hear: async (sessionId, word) => worker?.keeper.hear(sessionId, word) ?? 'elsewhere',
  });
  // Last, since it begins to work at once.
  if (role !== 'front') worker = openWorker(options, leases);
  const dispatcher = new SharedDispatcher({ leases, post, keeper: worker?.keeper });
  return {
    dispatcher,
    liveAgents: () => worker?.agents.size ?? 0,
    // The file of the agent went away when its session was left.
    forgetConversation: async ({ id }) => {
      await shared.conversations.delete(id).catch((thrown: unknown) => {
        onRemark(`the conversation of ${id} could not be removed: ${String(thrown)}`);
      });
    },
    close: async ({ graceMs }) => {
      await dispatcher.close({ graceMs });
      await worker?.agents.close({ graceMs: 1000 });
    },
  };
}

function openWorker(options: SharedTurnsOptions, leases: SessionLeases) {
  const { store, log, shared, launch, maxAgents, idleMs, approvalTimeoutMs, cancelGraceMs, onRemark } = options;
  const { facts, conversations } = shared;
  const agents = new AgentPool({
    launch,
    maxLive: maxAgents,
    idleMs,
    onLeft: (sessionId) => keeper.wake(sessionId),
  });
  const placesOf = (lease: Lease) => ({
    store: new RedisSessionStore(facts, lease),
    log: fencedLog(log, lease.fence),
    conversation: new TravellingConversation({
      lease,
      path: conversationFileOf(launch, lease.sessionId),
      conversations,
    }),
  });
  const keeper = new SessionKeeper({
    leases,
    worker: new TurnRunner({ store, log, agents, approvalTimeoutMs, cancelGraceMs }),
    maxBusy: maxAgents,
    placesOf,
    onRound: () => tellEnds({ store, log }),
    onRemark,
  });
  return { agents, keeper };
}
