import type { Bench } from '../harness/figure.ts';
import { ServeRun, type Subscriber } from '../harness/serve-run.ts';
import { quantile } from '../harness/statistics.ts';
import { createWorkspace } from '../harness/workspace.ts';
import { startModel } from '../model/start.ts';

interface Load {
  readonly idleSessions: number;
  readonly idleSubscribers: number;
  readonly turns: number;
  readonly subscribers: number;
  readonly deltas: number;
}

/** The load of a team. */
const FULL: Load = { idleSessions: 500, idleSubscribers: 1000, turns: 32, subscribers: 200, deltas: 500 };
const QUICK: Load = { idleSessions: 4, idleSubscribers: 8, turns: 2, subscribers: 4, deltas: 20 };
/** 66 deltas per second and turn, which limits delivery to 13,300 per second. */
const PACE_MS = 15;

/**
 * A real `qwen serve` with SQLite; agents and model are separate processes, this one is the clients. Deliveries are
 * counted while all turns run and all subscribers are connected.
 */
export const server: Bench = async ({ quick }) => {
  const load = quick ? QUICK : FULL;
  await using workspace = await createWorkspace();
  await using model = await startModel();
  await using run = await ServeRun.start(workspace, model.baseUrl({ deltas: load.deltas, paceMs: PACE_MS }));
  await run.newSession();

  const atFirst = await run.memoryBytes();
  const sessions = await times(load.idleSessions, () => run.newSession());
  const withSessions = await run.memoryBytes();
  await times(load.idleSubscribers, (index) => run.follow(sessions[index % sessions.length] ?? ''));
  const withSubscribers = await run.memoryBytes();

  const busy = sessions.slice(0, load.turns);
  await wake(run, busy);
  const readers = await times(load.subscribers, (index) => run.follow(busy[index % busy.length] ?? ''));
  await Promise.all(busy.map((session) => run.say(session, 'Tell me a story.')));
  const { latenciesMs, perSecond } = await deliveriesOf(readers);
  return [
    { name: 'memory per idle session', value: (withSessions - atFirst) / load.idleSessions / 1000, unit: 'kB' },
    {
      name: 'memory per idle subscriber',
      value: (withSubscribers - withSessions) / load.idleSubscribers / 1000,
      unit: 'kB',
    },
    { name: 'delivery while turns run p50', value: quantile(latenciesMs, 0.5), unit: 'ms' },
    {
      name: 'delivery while turns run p99',
      value: quantile(latenciesMs, 0.99),
      unit: 'ms',
      target: { of: 'value', atMost: 100 },
    },
    { name: 'deliveries while turns run', value: perSecond, unit: 'per second' },
  ];
};

/** Runs a turn per session, so that all agents have started. */
async function wake(run: ServeRun, sessions: readonly string[]): Promise<void> {
  const watchers = await Promise.all(sessions.map((session) => run.follow(session)));
  await Promise.all(sessions.map((session) => run.say(session, 'Good morning.')));
  await Promise.all(watchers.map(({ idle }) => idle));
}

/** From the first message to the last idle event. */
async function deliveriesOf(readers: readonly Subscriber[]) {
  const startedAt = performance.now();
  const ends = await Promise.all(readers.map(({ idle }) => idle));
  const latenciesMs = readers.flatMap((reader) => reader.latenciesMs);
  return { latenciesMs, perSecond: (latenciesMs.length * 1000) / (Math.max(...ends) - startedAt) };
}

async function times<Result>(count: number, work: (index: number) => Promise<Result>): Promise<Result[]> {
  const results: Result[] = [];
  for (let index = 0; index < count; index += 1) results.push(await work(index));
  return results;
}
