import { query } from '@qwen/sdk';
import { BARE_NODE, wholeProcess } from '../harness/child.ts';
import type { Bench, Figure } from '../harness/figure.ts';
import { interleave } from '../harness/interleave.ts';
import { median } from '../harness/statistics.ts';
import { createWorkspace } from '../harness/workspace.ts';
import { startModel } from '../model/start.ts';

/**
 * Concurrent sessions with one prompt each, from the first `query()` until all children have exited. Baseline: as
 * many `node -e 0`.
 */
export const sessions: Bench = async ({ quick }) => {
  await using workspace = await createWorkspace();
  await using model = await startModel();
  const options = { cwd: workspace.cwd, env: workspace.env(model.baseUrl({})) };
  const oneSession = async () => {
    for await (const message of query({ prompt: 'Say a word.', options })) {
      if (message.type === 'result' && message.is_error) throw new Error(message.error?.message ?? message.subtype);
    }
  };
  const figures: Figure[] = [];
  for (const count of quick ? [1, 4] : [1, 4, 16]) {
    const samples = await interleave(quick ? 1 : 9, {
      bare: () => atOnce(count, () => wholeProcess(BARE_NODE)),
      sessions: () => atOnce(count, oneSession),
    });
    figures.push({
      name: `${count} sessions at once`,
      value: median(samples.sessions),
      unit: 'ms',
      baseline: { name: `${count} node -e 0`, value: median(samples.bare) },
      target: count === 16 ? { of: 'ratio', atMost: 3.2 } : undefined,
    });
  }
  return figures;
};

async function atOnce(count: number, work: () => Promise<unknown>): Promise<number> {
  const startedAt = performance.now();
  await Promise.all(Array.from({ length: count }, work));
  return performance.now() - startedAt;
}
