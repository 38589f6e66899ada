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
 * The last 500 turns against the first 500, and what the process holds at the end against half of the way. Node.js takes
 * memory for its young objects during the first thousands of turns and keeps it, so the early figure stands by itself.
 */
export const soak: Bench = async ({ quick }) => {
  const turns = quick ? 100 : 10_000;
  await using workspace = await createWorkspace();
  await using model = await startModel();
  const agent = new LineChild({
    args: [CLI_BIN, '--input-format', 'stream-json', '--output-format', 'stream-json'],
    cwd: workspace.cwd,
    env: workspace.env(model.baseUrl({})),
  });
  await agent.line((line) => line.includes('"supported_protocol_versions"'));
  const latencies: number[] = [];
  const memory: number[] = [];
  for (let turn = 1; turn <= turns; turn += 1) {
    const session = `soak-${Math.floor((turn - 1) / TURNS_A_SESSION)}`;
    const startedAt = performance.now();
    const over = agent.line((line) => line.includes('"summary":{'));
    agent.write(`${JSON.stringify({ session_id: session, input: 'Say a word.' })}\n`);
    await over;
    latencies.push(performance.now() - startedAt);
    if (turn % (turns / 10) === 0) memory.push((await residentMemoryBytes(agent.pid)) / MIB);
  }
  await agent.end();
  return [...toLatencies(latencies), ...toMemory(memory, turns)];
};

function toLatencies(latencies: readonly number[]): Figure[] {
  const count = latencies.length / 20;
  const [first, last] = [latencies.slice(0, count), latencies.slice(-count)];
  const compared = (name: string, read: (samples: readonly number[]) => number): Figure => ({
    name: `turn ${name}, last ${count}`,
    unit: 'ms',
    value: read(last),
    baseline: { name: `first ${count}`, value: read(first) },
    target: { of: 'ratio', atMost: 1.25 },
  });
  return [compared('p50', median), compared('p99', (samples) => quantile(samples, 0.99))];
}

/** One sample after each tenth of the turns. */
function toMemory(samples: readonly number[], turns: number): Figure[] {
  const [early = 0, half = 0, end = 0] = [samples[0], samples[4], samples[9]];
  return [
    { name: `memory after ${turns / 10} turns`, unit: 'MiB', value: early },
    {
      name: `memory after ${turns} turns`,
      unit: 'MiB',
      value: end,
      baseline: { name: `after ${turns / 2} turns`, value: half },
      target: { of: 'ratio', atMost: 1.1 },
    },
  ];
}
