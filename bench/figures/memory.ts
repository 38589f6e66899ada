import { setTimeout as delay } from 'node:timers/promises';
import { initialized, takeTurn, toCli } from '../harness/channel.ts';
import { LineChild } from '../harness/child.ts';
import type { Bench } from '../harness/figure.ts';
import { interleave } from '../harness/interleave.ts';
import { peakMemoryBytes, processTree } from '../harness/process-facts.ts';
import { median } from '../harness/statistics.ts';
import { createWorkspace } from '../harness/workspace.ts';
import { startModel } from '../model/start.ts';

const MIB = 1024 * 1024;

/** Polling interval; short-lived children may be missed. */
const LOOK_EVERY_MS = 10;

/**
 * Peak resident memory of the CLI and its children over a turn: the sum of each process's VmHWM. Baseline: a bare
 * node that waits for input.
 */
export const memory: Bench = async ({ quick }) => {
  await using workspace = await createWorkspace();
  await using model = await startModel();
  const cli = toCli({ cwd: workspace.cwd, env: workspace.env(model.baseUrl({})) });
  const samples = await interleave(quick ? 1 : 9, {
    bare: async () => {
      const child = new LineChild({ args: ['-e', 'process.stdin.resume(); process.stdout.write("up\\n")'] });
      return peakUntil(child, child.line());
    },
    cli: async () => {
      const child = await initialized(cli);
      return peakUntil(child, takeTurn(child));
    },
  });
  return [
    {
      name: 'peak memory of the CLI tree, one turn',
      value: median(samples.cli),
      unit: 'MiB',
      baseline: { name: 'bare node', value: median(samples.bare) },
      target: { of: 'value', atMost: 70 },
    },
  ];
};

/** Polls until `done`, then ends the child. In MiB. */
async function peakUntil(child: LineChild, done: Promise<unknown>): Promise<number> {
  const peaks = new Map<number, number>();
  const look = async () => {
    for (const pid of await processTree(child.pid)) {
      // The process may have exited.
      const bytes = await peakMemoryBytes(pid).catch(() => undefined);
      if (bytes !== undefined) peaks.set(pid, bytes);
    }
  };
  const ended = done.then(() => true);
  do await look();
  while (!(await Promise.race([ended, delay(LOOK_EVERY_MS, false)])));
  await look();
  await child.end();
  return [...peaks.values()].reduce((sum, bytes) => sum + bytes, 0) / MIB;
}
