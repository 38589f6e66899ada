import { setTimeout as wait } from 'node:timers/promises';
import { createPool, type Query } from '@qwen/sdk';
import { BARE_NODE, wholeProcess } from '../harness/child.ts';
import type { Bench } from '../harness/figure.ts';
import { interleave } from '../harness/interleave.ts';
import { median } from '../harness/statistics.ts';
import { createWorkspace } from '../harness/workspace.ts';
import { startModel } from '../model/start.ts';

/** Time in milliseconds for the waiting CLI to load what its first turn needs. */
const WAITED_MS = 300;

/**
 * From `query()` of a pool to the first message and the result. Excludes the start of this CLI, but includes the CPU
 * time of starting the next one.
 */
export const warmQuery: Bench = async ({ quick }) => {
  await using workspace = await createWorkspace();
  await using model = await startModel();
  const env = workspace.env(model.baseUrl({}));
  await using pool = createPool({ size: 1, options: { cwd: workspace.cwd, env } });
  const warmly = async (until: 'init' | 'result') => {
    await pool.ready();
    await wait(WAITED_MS);
    const startedAt = performance.now();
    const running = pool.query('Say a word.');
    const elapsed = (await reached(running, until)) - startedAt;
    await running.close();
    return elapsed;
  };
  const samples = await interleave(quick ? 2 : 31, {
    bare: () => wholeProcess(BARE_NODE),
    init: () => warmly('init'),
    result: () => warmly('result'),
  });
  const baseline = { name: 'node -e 0', value: median(samples.bare) };
  return [
    {
      name: 'warm query() to init',
      value: median(samples.init),
      unit: 'ms',
      baseline,
      target: { of: 'value', atMost: 20 },
    },
    { name: 'warm query() to result', value: median(samples.result), unit: 'ms', baseline },
  ];
};

async function reached(messages: Query, until: 'init' | 'result'): Promise<number> {
  for (;;) {
    const { done, value } = await messages.next();
    if (done === true) throw new Error(`the query ended before its ${until}`);
    if (value.type === 'result' && value.is_error) throw new Error(value.error?.message ?? value.subtype);
    if (value.type === until || (value.type === 'system' && value.subtype === until)) return performance.now();
  }
}
