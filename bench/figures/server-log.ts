import { join } from 'node:path';
import { EventServer, type ReaderReport } from '../harness/event-server.ts';
import type { Bench, Figure } from '../harness/figure.ts';
import { interleave } from '../harness/interleave.ts';
import { median } from '../harness/statistics.ts';
import { createWorkspace } from '../harness/workspace.ts';

/** One round, for our server and the bare one. */
interface Round {
  readonly appendMs: number;
  readonly replayMs: number;
  readonly paced: ReaderReport;
  readonly deliveriesPerSecond: number;
  readonly subscriberKb: number;
}

interface Load {
  readonly appends: number;
  readonly replayed: number;
  readonly subscribers: number;
  readonly published: number;
  readonly idle: number;
}

const FULL: Load = { appends: 4000, replayed: 8000, subscribers: 200, published: 250, idle: 1000 };
const QUICK: Load = { appends: 128, replayed: 400, subscribers: 10, published: 10, idle: 20 };
/** As many sessions as may run a turn at once. */
const WRITERS = 32;
/** 50 events per second and subscriber. */
const EVERY_MS = 20;

/**
 * The event log over HTTP with SQLite. Baseline: a server that writes the same bytes without a log. Readers are a
 * separate process.
 */
export const serverLog: Bench = async ({ quick }) => {
  await using workspace = await createWorkspace();
  const load = quick ? QUICK : FULL;
  let rounds = 0;
  const sample = (program: 'log-server' | 'bare-event-server') => () => {
    rounds += 1;
    return measure(program, join(workspace.root, `${rounds}.db`), load);
  };
  const samples = await interleave(quick ? 1 : 5, { ours: sample('log-server'), bare: sample('bare-event-server') });
  const figure = (
    name: string,
    pick: (round: Round) => number,
    more: Partial<Figure> & { baselineName: string },
  ): Figure => {
    const { baselineName, ...rest } = more;
    const baseline = { name: baselineName, value: median(samples.bare.map(pick)) };
    return { name, value: median(samples.ours.map(pick)), unit: 'ms', baseline, ...rest };
  };
  const atMost = (limit: number) => ({ target: { of: 'value', atMost: limit } as const });
  return [
    figure('1,000 durable appends', ({ appendMs }) => appendMs, {
      baselineName: 'write and fdatasync',
      ...atMost(1000),
    }),
    figure('8,000 events replayed', ({ replayMs }) => replayMs, {
      baselineName: 'bytes by bare HTTP',
      ...atMost(1000),
    }),
    figure('delivery p50', ({ paced }) => paced.p50Ms, { baselineName: 'bare HTTP', ...atMost(20) }),
    figure('delivery p99', ({ paced }) => paced.p99Ms, { baselineName: 'bare HTTP', ...atMost(100) }),
    figure('deliveries', (round) => round.deliveriesPerSecond, { baselineName: 'bare HTTP', unit: 'per second' }),
    figure('memory per idle subscriber', ({ subscriberKb }) => subscriberKb, {
      baselineName: 'bare HTTP',
      unit: 'kB',
      ...atMost(40),
    }),
  ];
};

async function measure(program: 'log-server' | 'bare-event-server', place: string, load: Load): Promise<Round> {
  const server = await EventServer.start(program, place);
  const text = 'x'.repeat(200);
  const { tookMs = Number.NaN } = await server.tell({ do: 'append', sessions: WRITERS, events: load.appends, text });

  await server.tell({ do: 'create', session: 'past' });
  await server.tell({ do: 'fill', session: 'past', events: load.replayed, text });
  const replaying = await server.read('past', { connections: 1, events: load.replayed });
  const replay = await replaying.report;
  await replaying.end();

  const paced = await publish(server, load, EVERY_MS);
  const hurried = await publish(server, load, 0);
  const round: Round = {
    appendMs: (tookMs / load.appends) * 1000,
    replayMs: (replay.tookMs / load.replayed) * 8000,
    paced,
    deliveriesPerSecond: (load.subscribers * load.published * 1000) / hurried.tookMs,
    subscriberKb: await idleKb(server, load.idle),
  };
  await server.end();
  return round;
}

async function publish(server: EventServer, { subscribers, published }: Load, everyMs: number): Promise<ReaderReport> {
  const session = `live-${everyMs}`;
  await server.tell({ do: 'create', session });
  const readers = await server.read(session, { connections: subscribers, events: published });
  await server.tell({ do: 'publish', session, events: published, everyMs });
  const report = await readers.report;
  await readers.end();
  return report;
}

async function idleKb(server: EventServer, idle: number): Promise<number> {
  await server.tell({ do: 'create', session: 'idle' });
  const before = await server.tell({ do: 'memory' });
  const readers = await server.read('idle', { connections: idle, events: 1 });
  const after = await server.tell({ do: 'memory' });
  // Each reader gets its event, so that it can leave.
  await server.tell({ do: 'publish', session: 'idle', events: 1, everyMs: 0 });
  await readers.report;
  await readers.end();
  return ((after.bytes ?? Number.NaN) - (before.bytes ?? Number.NaN)) / idle / 1000;
}
