import type { Bench, Figure } from '../harness/figure.ts';
import { quantile } from '../harness/statistics.ts';
import { type StreamReport, streamSamples } from '../harness/stream-samples.ts';

/** From the model's write, every 5 ms, to the app's `for await`. Baseline: a bare relay child. */
export const deltaLatency: Bench = async ({ quick }) => {
  const samples = await streamSamples({ deltas: quick ? 40 : 600, paceMs: 5 }, quick ? 1 : 3);
  const all = (reports: readonly StreamReport[]) => reports.flatMap((report) => report.latenciesMs);
  const toFigure = (share: number): Figure => ({
    name: `delta at a 5 ms pace p${share * 100}`,
    value: quantile(all(samples.query), share),
    unit: 'ms',
    baseline: { name: 'relay', value: quantile(all(samples.relay), share) },
    target: share === 0.5 ? { of: 'value', atMost: 0.5 } : undefined,
  });
  return [toFigure(0.5), toFigure(0.99)];
};
