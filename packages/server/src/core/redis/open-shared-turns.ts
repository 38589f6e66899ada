import { randomUUID } from 'node:crypto';
import { conversationFileOf } from '../../agent/agent-folders.js';
import { AgentPool } from '../../agent/agent-pool.js';
import type { EventLog } from '../../log/event-log.js';
import type { Fence } from '../../redis/fence.js';
import type { SharedRedis } from '../../store/opened-stores.js';
import { RedisSessionStore } from '../../store/redis/redis-session-store.js';
import { flushOutbox } from '../end-turn.js';
import type { LocalTurnsOptions } from '../open-local-turns.js';
import type { OpenedTurns, ServerRole } from '../open-turns.js';
import { TurnRunner } from '../turn-runner.js';
import { ConversationSync } from './conversation-sync.js';
import { forkSharedConversation } from './fork-shared-conversation.js';
import { RedisRpc } from './redis-rpc.js';
import { SessionHolders } from './session-holders.js';
import { SessionQueue } from './session-queue.js';
import { SessionWorker } from './session-worker.js';
import { SharedDispatcher } from './shared-dispatcher.js';

export interface SharedTurnsOptions extends LocalTurnsOptions {
  readonly shared: SharedRedis;
  readonly role: ServerRole;
  readonly leaseMs: number;
}

/** Runs turns on the workers of all processes; a front has none. */
export async function openSharedTurns(options: SharedTurnsOptions): Promise<OpenedTurns> {
  const { store, log, shared, role, leaseMs, onNotice } = options;
  const { keyspace, redis, subscriber, barrier } = shared;
  const holders = new SessionHolders(keyspace, randomUUID());
  const queue = new SessionQueue({ keyspace, redis, barrier });
  options.metrics?.watch('qwen_redis_ping_seconds', 'Time of a round trip to Redis.', async () => {
    const askedAtMs = performance.now();
    await redis.ping();
    return (performance.now() - askedAtMs) / 1000;
  });
  if (options.metrics !== undefined) queue.watch(options.metrics);
  const rpc = new RedisRpc({ processId: holders.processId, keys: keyspace.keys, redis, subscriber });
  let opened: Awaited<ReturnType<typeof openWorker>> | undefined;
  await flushOutbox({ store, log });
  await rpc.open({
    onTurn: (sessionId) => opened?.worker.wake(sessionId),
    handle: async (sessionId, command) => opened?.worker.handle(sessionId, command) ?? 'elsewhere',
  });
  // Last: it starts to work at once.
  if (role !== 'front') opened = await openWorker(options, { holders, queue });
  const dispatcher = new SharedDispatcher({ queue, holders, rpc, leaseMs, worker: opened?.worker });
  return {
    dispatcher,
    liveAgents: () => opened?.agents.size ?? 0,
    waitingForAgent: () => ({ turns: opened?.agents.waiting ?? 0, longestMs: opened?.agents.longestWaitMs ?? 0 }),
    forkConversation: (fork) =>
      forkSharedConversation(fork, { launch: options.launch, conversations: shared.conversations }),
    // The file was removed when its process released the session.
    deleteConversation: async ({ id }) => {
      await shared.conversations.delete(id).catch((thrown: unknown) => {
        onNotice(`could not remove the conversation of session ${id}: ${String(thrown)}`);
      });
    },
    close: async ({ graceMs }) => {
      await dispatcher.close({ graceMs });
      await opened?.agents.close({ graceMs: 1000 });
      await shared.close();
    },
  };
}

async function openWorker(
  options: SharedTurnsOptions,
  { holders, queue }: { readonly holders: SessionHolders; readonly queue: SessionQueue },
) {
  const { store, log, shared, launch, maxAgents, idleMs, approvalTimeoutMs, cancelGraceMs, leaseMs, onNotice } =
    options;
  const { logger, metrics, audit } = options;
  const { keyspace, conversations, barrier } = shared;
  const agents = new AgentPool({
    launch,
    maxLive: maxAgents,
    idleMs,
    onExit: (sessionId) => worker.wake(sessionId),
  });
  const worker = new SessionWorker({
    queue,
    queuePrefix: keyspace.keys.queuePrefix,
    holders,
    redis: await shared.connect({ tries: null }),
    barrier,
    worker: new TurnRunner({ store, log, agents, approvalTimeoutMs, cancelGraceMs, audit, logger, metrics }),
    leaseMs,
    maxSessions: maxAgents,
    contextOf: (sessionId, fence) => ({
      store: new RedisSessionStore(keyspace, { fence }),
      log: fencedLog(log, fence),
      conversation: new ConversationSync({
        sessionId,
        fence,
        path: conversationFileOf(launch, sessionId),
        conversations,
      }),
    }),
    onSweep: () => flushOutbox({ store, log }),
    onNotice,
    metrics,
  });
  return { agents, worker };
}

export function fencedLog(log: EventLog, fence: Fence): Pick<EventLog, 'append' | 'read' | 'seqOf'> {
  return {
    append: (sessionId, events, options) => log.append(sessionId, events, { ...options, fence }),
    read: (sessionId, options) => log.read(sessionId, options),
    seqOf: (sessionId, eventId) => log.seqOf(sessionId, eventId),
  };
}
