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
 * 10,000 turns in one process, with a new session every 20 turns. Compares the last 500 turns with the first 500,
 * and the final memory with that at half time. The early figure is separate: Node.js grows its young generation
 * during the first thousands of turns.
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

/** One sample per tenth of the turns. */
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
