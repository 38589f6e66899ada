import { LineChild } from '../harness/child.ts';
import { Conversation } from '../harness/conversation.ts';
import type { Bench, Figure } from '../harness/figure.ts';
import { programPath } from '../harness/programs.ts';
import { quantile } from '../harness/statistics.ts';
import { createWorkspace } from '../harness/workspace.ts';
import { startModel } from '../model/start.ts';

const BLOCKS = 10;

/**
 * Sequential control calls on an idle Query, in blocks that alternate with the baseline: a child that echoes a line
 * of the same size over the same kind of pipe.
 */
export const controlRoundTrip: Bench = async ({ quick }) => {
  await using workspace = await createWorkspace();
  await using model = await startModel();
  await using conversation = new Conversation({ cwd: workspace.cwd, env: workspace.env(model.baseUrl({})) });
  const { query } = conversation;
  await query.initialized;
  const echo = new LineChild({ args: [programPath('echo')] });
  const callsPerBlock = quick ? 10 : 200;

  const samples = { echo: [] as number[], interrupt: [] as number[], mcpServerStatus: [] as number[] };
  const block = async (into: number[], call: () => Promise<unknown>) => {
    for (let calls = 0; calls < callsPerBlock; calls += 1) into.push(await timed(call));
  };
  // The first block is warm-up.
  for (let round = 0; round <= BLOCKS; round += 1) {
    await block(round === 0 ? [] : samples.echo, () => echoed(echo));
    await block(round === 0 ? [] : samples.interrupt, () => query.interrupt());
    await block(round === 0 ? [] : samples.mcpServerStatus, () => query.mcpServerStatus());
  }
  await echo.end();

  const toFigure = (name: string, taken: readonly number[], share: number): Figure => ({
    name: `${name} p${share * 100}`,
    value: quantile(taken, share),
    unit: 'ms',
    baseline: { name: 'echo child', value: quantile(samples.echo, share) },
    target: share === 0.5 ? { of: 'value', atMost: 0.2 } : undefined,
  });
  return [
    toFigure('interrupt()', samples.interrupt, 0.5),
    toFigure('interrupt()', samples.interrupt, 0.99),
    toFigure('mcpServerStatus()', samples.mcpServerStatus, 0.5),
    toFigure('mcpServerStatus()', samples.mcpServerStatus, 0.99),
  ];
};

const PING = `${JSON.stringify({ type: 'control_request', request_id: 'app-1', request: { subtype: 'interrupt' } })}\n`;

async function echoed(echo: LineChild): Promise<unknown> {
  const line = echo.line();
  echo.write(PING);
  return JSON.parse(await line);
}

async function timed(call: () => Promise<unknown>): Promise<number> {
  const startedAt = performance.now();
  await call();
  return performance.now() - startedAt;
}
