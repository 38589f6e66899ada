import { CLI_BIN } from '../harness/channel.ts';
import { LineChild } from '../harness/child.ts';
import type { Bench, Figure } from '../harness/figure.ts';
import { residentMemoryBytes } from '../harness/process-facts.ts';
import { median, quantile } from '../harness/statistics.ts';
import { createWorkspace } from '../harness/workspace.ts';
import { startModel } from '../model/start.ts';

const MIB = 1024 * 1024;
const TURNS_A_SESSION = 20;

/**
 * A working day of a host in fast time: 10,000 turns through one process, a new session after every 20, so 500 of them.
 * The last 500 turns against the first 500, and what the process holds after 10,000 turns against 1,000.
 */
export const soak: Bench = async ({ quick }) => {
  const turns = quick ? 100 : 10_000;
  const tail = turns / 20;
  await using workspace = await createWorkspace();
  await using model = await startModel();
  const agent = new LineChild({
    args: [CLI_BIN, '--input-format', 'stream-json', '--output-format', 'stream-json'],
    cwd: workspace.cwd,
    env: workspace.env(model.baseUrl({})),
  });
  await agent.line((line) => line.includes('"supported_protocol_versions"'));
  const latencies: number[] = [];
  const memory = new Map<number, number>();
  for (let turn = 1; turn <= turns; turn += 1) {
    const session = `soak-${Math.floor((turn - 1) / TURNS_A_SESSION)}`;
    const startedAt = performance.now();
    const over = agent.line((line) => line.includes('"summary":{'));
    agent.write(`${JSON.stringify({ session_id: session, input: 'Say a word.' })}\n`);
    await over;
    latencies.push(performance.now() - startedAt);
    if (turn === turns / 10 || turn === turns) memory.set(turn, (await residentMemoryBytes(agent.pid)) / MIB);
  }
  await agent.end();
  const [first, last] = [latencies.slice(0, tail), latencies.slice(-tail)];
  const figures: Figure[] = [
    compared(`turn p50, last ${tail}`, 'ms', [median(last), median(first)]),
    compared(`turn p99, last ${tail}`, 'ms', [quantile(last, 0.99), quantile(first, 0.99)]),
    compared(`memory after ${turns} turns`, 'MiB', [memory.get(turns) ?? 0, memory.get(turns / 10) ?? 0]),
  ];
  return figures;

  function compared(name: string, unit: Figure['unit'], [value, before]: readonly [number, number]): Figure {
    const beginning = unit === 'MiB' ? `after ${turns / 10} turns` : `first ${tail}`;
    return { name, unit, value, floor: { name: beginning, value: before }, target: { of: 'ratio', atMost: 1.25 } };
  }
};
