import { fileURLToPath } from 'node:url';
import {
  calls,
  childrenOf,
  type RedisServer,
  type ScriptedReply,
  says,
  startScriptedModel,
  temporaryFolder,
} from '@qwen/testkit';
import type { FaithfulReader, ReadEvent } from '../reconnect/faithful-reader.ts';
import { MortalServer, TOKEN } from '../reconnect/mortal-server.ts';
import { RedisProxy } from './redis-proxy.ts';

const PROGRAM = fileURLToPath(new URL('./serve-role.js', import.meta.url));
/** Short, so that a round takes seconds. */
export const LEASE_MS = 6000;

/** A worker behind its own way to Redis. */
export interface ChaosWorker {
  server: MortalServer;
  readonly proxy: RedisProxy;
}

/**
 * Two front ends and two workers as processes. `work` in a prompt runs a command that takes longer than a takeover;
 * each command notes if another one runs in the workspace.
 */
export async function openChaos(redis: RedisServer) {
  await using opened = new AsyncDisposableStack();
  // Restarted workers belong to the result.
  let owner = opened;
  const model = opened.use(await startScriptedModel([reply]));
  const workspace = opened.use(await temporaryFolder());
  const start = async (role: 'front' | 'worker', store: string) => {
    const home = owner.use(await temporaryFolder());
    const args = (folder: string) => [
      PROGRAM,
      JSON.stringify({ store, role, leaseMs: LEASE_MS, workspace: folder, token: TOKEN, port: 0 }),
    ];
    return owner.use(await MortalServer.start({ home, model, workspace, args }));
  };
  const startWorker = async (): Promise<ChaosWorker> => {
    const proxy = opened.use(await RedisProxy.start(redis.url));
    return { proxy, server: await start('worker', proxy.url) };
  };
  const ways = [opened.use(await RedisProxy.start(redis.url)), opened.use(await RedisProxy.start(redis.url))] as const;
  const fronts = [await start('front', ways[0].url), await start('front', ways[1].url)] as const;
  const workers = [await startWorker(), await startWorker()];
  owner = opened.move();
  return {
    fronts,
    workers,
    proxies: () => [...ways, ...workers.map(({ proxy }) => proxy)],
    /** The worker that has an agent. */
    busyWorker: (): ChaosWorker => {
      const busy = workers.find(({ server }) => childrenOf(server.pid).length > 0);
      if (busy === undefined) throw new Error('no worker has an agent');
      return busy;
    },
    restart: async (worker: ChaosWorker): Promise<void> => {
      worker.server = await start('worker', worker.proxy.url);
    },
    /** Whether two commands ever ran at once. */
    overlaps: async (): Promise<string> => workspace.read('overlaps').catch(() => ''),
    [Symbol.asyncDispose]: () => owner.disposeAsync(),
  };
}

const reply: ScriptedReply = ({ messages }) => {
  const last = messages.at(-1);
  if (last?.role === 'tool') return says('done');
  const seconds = JSON.stringify(last?.content).includes('work') ? 14 : 0.2;
  const command = `flock -n held sleep ${seconds} || echo overlap >> overlaps`;
  return calls({ name: 'run_shell_command', input: { command } });
};

/** Sends until it is acknowledged, as a client with an idempotency key does. */
export async function send(front: MortalServer, sessionId: string, key: string): Promise<void> {
  const body = JSON.stringify({ events: [{ type: 'user.message', content: key }] });
  for (;;) {
    const response = await front
      .fetch(`/sessions/${sessionId}/events`, { method: 'POST', body, headers: { 'idempotency-key': key } })
      .catch(() => undefined);
    if (response?.status === 200) return void (await response.text());
    const text = await response?.text();
    if (response !== undefined && response.status < 500) throw new Error(`${key}: ${response.status} ${text}`);
  }
}

/** Reads until that many turns have an end. */
export async function readEnds(front: MortalServer, reader: FaithfulReader, count: number): Promise<void> {
  while (endsOf(reader.events).length < count) {
    await reader.read(front, () => endsOf(reader.events).length >= count).catch(() => false);
  }
}

export const bodyOf = ({ text }: ReadEvent): Readonly<Record<string, unknown>> => Object(JSON.parse(text));
export const endsOf = (events: readonly ReadEvent[]): readonly ReadEvent[] =>
  events.filter(({ type }) => type === 'turn.ended' || type === 'turn.interrupted');
