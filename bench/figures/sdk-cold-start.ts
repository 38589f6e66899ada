import { BARE_NODE, wholeProcess } from '../harness/child.ts';
import type { Bench } from '../harness/figure.ts';
import { interleave } from '../harness/interleave.ts';
import { programPath } from '../harness/programs.ts';
import { median } from '../harness/statistics.ts';
import { createWorkspace } from '../harness/workspace.ts';
import { startModel } from '../model/start.ts';

/**
 * Apps that import `@qwen/sdk` and call `query()`, from spawn to exit: one exits at `system/init`, one at `result`,
 * one after the clean end of its child.
 */
export const sdkColdStart: Bench = async ({ quick }) => {
  await using workspace = await createWorkspace();
  await using model = await startModel();
  const { cwd } = workspace;
  const env = workspace.env(model.baseUrl({}));
  const leaveAt = (until: string) => () => wholeProcess({ args: [programPath('leave-at'), until], cwd, env });
  const samples = await interleave(quick ? 2 : 31, {
    bare: () => wholeProcess(BARE_NODE),
    importOnly: () => wholeProcess({ args: [programPath('only-import')], cwd, env }),
    // First, because a clean exit fills the compile cache.
    end: leaveAt('end'),
    init: leaveAt('init'),
    result: leaveAt('result'),
  });
  const baseline = { name: 'node -e 0', value: median(samples.bare) };
  return [
    { name: 'app that imports the SDK', value: median(samples.importOnly), unit: 'ms', baseline },
    {
      name: 'app: query() to init',
      value: median(samples.init),
      unit: 'ms',
      baseline,
      target: { of: 'ratio', atMost: 4 },
    },
    { name: 'app: query() to result', value: median(samples.result), unit: 'ms', baseline },
    { name: 'app: query() to clean end', value: median(samples.end), unit: 'ms', baseline },
  ];
};
