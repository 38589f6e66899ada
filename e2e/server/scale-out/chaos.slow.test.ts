import { setTimeout as delay } from 'node:timers/promises';
import { hasRedisServer, RedisServer, verifies } from '@qwen/testkit';
import { expect, test } from 'vitest';
import { FaithfulReader, type ReadEvent } from '../reconnect/faithful-reader.ts';
import { bodyOf, type ChaosWorker, endsOf, LEASE_MS, openChaos, readEnds, send } from './chaos.ts';
import { RedisProxy } from './redis-proxy.ts';

type Chaos = Awaited<ReturnType<typeof openChaos>>;

/** Beyond the lease of a dead worker, on a loaded machine. */
const TAKEOVER_MS = 20_000;

interface Fault {
  readonly name: string;
  /** Returns what ends the fault. */
  readonly strike: (chaos: Chaos, busy: ChaosWorker, redis: RedisServer) => Promise<() => Promise<void>>;
}

const FAULTS: readonly Fault[] = [
  {
    name: 'a worker is killed',
    strike: async (chaos, busy) => {
      await busy.server.kill();
      return () => chaos.restart(busy);
    },
  },
  {
    name: 'a worker is frozen',
    strike: async (_chaos, { server }) => {
      process.kill(server.pid, 'SIGSTOP');
      return async () => void process.kill(server.pid, 'SIGCONT');
    },
  },
  {
    name: 'a worker is cut off from Redis',
    strike: async (_chaos, { proxy }) => {
      proxy.cut();
      return async () => proxy.heal();
    },
  },
  {
    name: 'Redis is killed',
    strike: async (_chaos, _busy, redis) => {
      await redis.kill();
      await redis.restart();
      return async () => undefined;
    },
  },
  {
    name: 'Redis is frozen',
    strike: async (_chaos, _busy, redis) => {
      redis.signal('SIGSTOP');
      await delay(LEASE_MS);
      redis.signal('SIGCONT');
      return async () => undefined;
    },
  },
];

/** Each fault once; a nightly run has many more. */
const ROUNDS = Number(process.env['QWEN_TEST_CHAOS_ROUNDS'] ?? FAULTS.length);

test.runIf(hasRedisServer)(
  `${ROUNDS} faults during turns: no acknowledged message or event is lost or doubled, each turn ends once, and no two agents work`,
  { timeout: 120_000 + ROUNDS * 60_000 },
  async () => {
    verifies('F118', 'F119');
    await using redis = await RedisServer.start();
    await using chaos = await openChaos(redis);
    for (let round = 0; round < ROUNDS; round += 1) {
      const fault = FAULTS[round % FAULTS.length];
      if (fault === undefined) throw new Error('there are no faults');
      await playRound(chaos, redis, { fault, round });
    }
    expect(await chaos.overlaps()).toBe('');
  },
);

test.runIf(hasRedisServer)(
  'a failover to a replica that lags loses nothing that was acknowledged or read, and starts no second agent',
  { timeout: 180_000 },
  async () => {
    await using redis = await RedisServer.start(['--min-replicas-to-write', '1', '--repl-diskless-sync-delay', '0']);
    await using link = await RedisProxy.start(redis.url);
    const source = ['--replicaof', '127.0.0.1', new URL(link.url).port];
    await using replica = await RedisServer.start([...source, '--repl-timeout', '60']);
    while (!replica.cli('info', 'replication').includes('master_link_status:up')) await delay(100);
    await using chaos = await openChaos(redis);
    const failover: Fault = {
      name: 'Redis fails over',
      strike: async () => {
        // From here on the replica gets nothing, but the workers do not know.
        link.cut();
        await delay(LEASE_MS / 3);
        replica.cli('replicaof', 'no', 'one');
        for (const proxy of chaos.proxies()) proxy.heal(replica.url);
        return async () => undefined;
      },
    };
    await playRound(chaos, redis, { fault: failover, round: 0 });
    expect(await chaos.overlaps()).toBe('');
  },
);

async function playRound(chaos: Chaos, redis: RedisServer, { fault, round }: { fault: Fault; round: number }) {
  const [one, two] = round % 2 === 0 ? chaos.fronts : [chaos.fronts[1], chaos.fronts[0]];
  const { id } = await one.post('/sessions', { incremental_streaming_enabled: true });
  const sessionId = String(id);
  const reader = new FaithfulReader(sessionId);
  await send(one, sessionId, `work-${round}`);
  const isWorking = ({ type }: ReadEvent) => type === 'agent.tool_use' || type === 'turn.ended';
  while (!reader.events.some(isWorking)) await reader.read(two, isWorking).catch(() => false);
  const end = await fault.strike(chaos, chaos.busyWorker(), redis);
  const struckAt = performance.now();
  await send(two, sessionId, `then-${round}`);
  await readEnds(two, reader, 1);
  const endedAfterMs = performance.now() - struckAt;
  await readEnds(one, reader, 2);
  await end();
  expect(endedAfterMs, fault.name).toBeLessThan(TAKEOVER_MS);
  const events = reader.events.map(bodyOf);
  const context = `${fault.name}: ${events.map(({ type }) => String(type)).join(' ')}`;
  expect(
    events.map(({ seq }) => seq),
    context,
  ).toEqual(events.map((_, index) => index + 1));
  const turnIds = events.filter(({ type }) => type === 'user.message').map(({ turn_id }) => turn_id);
  expect(new Set(turnIds).size, context).toBe(2);
  expect(turnIds, context).toHaveLength(2);
  expect(
    endsOf(reader.events)
      .map(bodyOf)
      .map(({ turn_id }) => turn_id),
    context,
  ).toEqual(turnIds);
  // The other front end has the same.
  const other = new FaithfulReader(sessionId);
  while (other.events.length < reader.events.length) {
    await other.read(two, ({ id: last }) => last === reader.events.at(-1)?.id).catch(() => false);
  }
  expect(other.events.slice(0, reader.events.length), context).toEqual(reader.events);
}
