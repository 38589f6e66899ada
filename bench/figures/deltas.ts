import type { Bench, Figure } from '../harness/figure.ts';
import { median } from '../harness/statistics.ts';
import { type StreamReport, streamSamples } from '../harness/stream-samples.ts';

const MIB = 1024 * 1024;

/**
 * An answer of 20,000 deltas through `query()` with `includePartialMessages`. Baseline: a relay child that fetches
 * the stream and prints one JSON line per delta, for a parent that parses them. Wall time includes the start of the
 * child.
 */
export const deltas: Bench = async ({ quick }) => {
  const samples = await streamSamples({ deltas: quick ? 500 : 20_000 }, quick ? 1 : 7);
  const compared = (read: (report: StreamReport) => number) => ({
    value: median(samples.query.map(read)),
    baseline: { name: 'relay', value: median(samples.relay.map(read)) },
  });
  const count = samples.query[0]?.deltas ?? 0;
  const figures: Figure[] = [
    {
      name: `${count} deltas, wall`,
      unit: 'ms',
      ...compared((report) => report.wallMs),
      target: { of: 'ratio', atMost: 4 },
    },
    { name: `${count} deltas, first to last`, unit: 'ms', ...compared((report) => report.streamMs) },
    { name: 'deltas', unit: 'per second', ...compared((report) => report.deltas / (report.streamMs / 1000)) },
    { name: 'processor time of both processes', unit: 'ms', ...compared((report) => report.processorMs) },
    { name: 'peak memory of the app', unit: 'MiB', ...compared((report) => report.ownMemoryBytes / MIB) },
    { name: 'peak memory of the child', unit: 'MiB', ...compared((report) => report.childMemoryBytes / MIB) },
  ];
  return figures;
};
