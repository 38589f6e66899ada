import { initialized, takeTurn, toCli } from '../harness/channel.ts';
import { BARE_NODE, type Program, wholeProcess } from '../harness/child.ts';
import type { Bench } from '../harness/figure.ts';
import { interleave } from '../harness/interleave.ts';
import { median } from '../harness/statistics.ts';
import { createWorkspace } from '../harness/workspace.ts';
import { startModel } from '../model/start.ts';

/**
 * From spawn to the first line (the answer to `initialize`) and to the `result` of the prompt sent after it. The
 * compile cache is warm; `no compile cache` is the first start of an installation.
 */
export const coldStart: Bench = async ({ quick }) => {
  await using workspace = await createWorkspace();
  await using model = await startModel();
  const env = workspace.env(model.baseUrl({}));
  const cli = toCli({ cwd: workspace.cwd, env });
  const samples = await interleave(quick ? 2 : 31, {
    bare: () => wholeProcess(BARE_NODE),
    result: () => toResult(cli),
    firstLine: () => toFirstLine(cli),
    uncached: () => toFirstLine({ ...cli, env: { ...env, NODE_DISABLE_COMPILE_CACHE: '1' } }),
  });
  const baseline = { name: 'node -e 0', value: median(samples.bare) };
  return [
    {
      name: 'spawn to first line',
      value: median(samples.firstLine),
      unit: 'ms',
      baseline,
      target: { of: 'ratio', atMost: 2 },
    },
    { name: 'spawn to first line, no compile cache', value: median(samples.uncached), unit: 'ms', baseline },
    {
      name: 'spawn to result of one turn',
      value: median(samples.result),
      unit: 'ms',
      baseline,
      target: { of: 'ratio', atMost: 3 },
    },
  ];
};

async function toFirstLine(cli: Program): Promise<number> {
  const child = await initialized(cli);
  const tookMs = performance.now() - child.startedAt;
  await child.end();
  return tookMs;
}

async function toResult(cli: Program): Promise<number> {
  const child = await initialized(cli);
  await takeTurn(child);
  const tookMs = performance.now() - child.startedAt;
  await child.end();
  return tookMs;
}
