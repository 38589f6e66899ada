import { setTimeout as pause } from 'node:timers/promises';
import { CLI_BIN, initialized, takeTurn, toCli } from '../harness/channel.ts';
import { BARE_NODE, type Program, wholeProcess } from '../harness/child.ts';
import type { Bench, Figure } from '../harness/figure.ts';
import { interleave } from '../harness/interleave.ts';
import { peakMemoryBytes, residentMemoryBytes } from '../harness/process-facts.ts';
import { programPath } from '../harness/programs.ts';
import { PtyChild } from '../harness/pty-child.ts';
import { median, quantile } from '../harness/statistics.ts';
import { createWorkspace } from '../harness/workspace.ts';
import { startModel } from '../model/start.ts';

const MIB = 1024 * 1024;
/** Part of the line that ends a turn. */
const TURN_END = ' out';
const KEYS = ['q', 'z', 'j', 'x', 'k', 'v'];

/**
 * `qwen` in a terminal: from spawn to the first key on the screen; from a key to the screen in a session of 2,000
 * messages, and while 50,000 lines stream; memory. Baselines: `node -e 0`; a program that echoes keys in raw mode.
 */
export const terminal: Bench = async ({ quick }) => {
  await using workspace = await createWorkspace();
  await using model = await startModel();
  const lines = quick ? 500 : 50_000;
  const answer = { deltas: lines, text: 'one line of an answer that is as long as lines are\\n' };
  const qwen: Program = { args: [CLI_BIN], cwd: workspace.cwd, env: workspace.env(model.baseUrl(answer)) };

  const starts = await interleave(quick ? 2 : 21, {
    bare: () => wholeProcess(BARE_NODE),
    prompt: () => toFirstKey(qwen),
  });
  const baseline = { name: 'node -e 0', value: median(starts.bare) };
  const echo = await keyTimes({ args: [programPath('raw-echo')] }, quick ? 20 : 200);
  const long = await longSession({ ...qwen, env: workspace.env(model.baseUrl({})) }, quick ? 20 : 2_000);
  const typed = await keyTimes(long, quick ? 20 : 200);
  const streamed = await whileStreaming(qwen);
  const echoBaseline = (share: number): Figure['baseline'] => ({ name: 'raw echo', value: quantile(echo, share) });
  return [
    {
      name: 'spawn to a key on the screen',
      value: median(starts.prompt),
      unit: 'ms',
      baseline,
      target: { of: 'ratio', atMost: 6 },
    },
    { name: 'key to screen, 2,000 messages p50', value: quantile(typed, 0.5), unit: 'ms', baseline: echoBaseline(0.5) },
    {
      name: 'key to screen, 2,000 messages p99',
      value: quantile(typed, 0.99),
      unit: 'ms',
      baseline: echoBaseline(0.99),
      target: { of: 'value', atMost: 33 },
    },
    {
      name: 'key to screen while lines stream p50',
      value: quantile(streamed.keys, 0.5),
      unit: 'ms',
      baseline: echoBaseline(0.5),
    },
    {
      name: 'key to screen while lines stream p99',
      value: quantile(streamed.keys, 0.99),
      unit: 'ms',
      baseline: echoBaseline(0.99),
      target: { of: 'value', atMost: 33 },
    },
    { name: 'lines on the screen', value: lines / (streamed.tookMs / 1_000), unit: 'per second' },
    { name: 'memory after the lines', value: streamed.afterBytes / MIB, unit: 'MiB' },
    { name: 'peak memory', value: streamed.peakBytes / MIB, unit: 'MiB' },
  ];
};

async function toFirstKey(qwen: Program): Promise<number> {
  await using child = new PtyChild(qwen);
  await child.whenReadingKeys();
  const shown = child.whenWritten('z');
  child.write('z');
  const tookMs = (await shown) - child.startedAt;
  await child.leave();
  return tookMs;
}

async function keyTimes(program: Program, count: number): Promise<number[]> {
  await using child = new PtyChild(program);
  await child.whenReadingKeys();
  const times: number[] = [];
  for (let round = 0; round < count; round += 1) times.push(await timeKey(child, round));
  return times;
}

async function timeKey(child: PtyChild, round: number): Promise<number> {
  const key = KEYS[round % KEYS.length] ?? 'q';
  const shown = child.whenWritten(key);
  const pressedAt = performance.now();
  child.write(key);
  const tookMs = (await shown) - pressedAt;
  // Leaves time to draw each key separately.
  await pause(20);
  return tookMs;
}

interface Streamed {
  readonly keys: readonly number[];
  readonly tookMs: number;
  readonly afterBytes: number;
  readonly peakBytes: number;
}

/** Types until the streaming turn ends. */
async function whileStreaming(qwen: Program): Promise<Streamed> {
  await using child = new PtyChild(qwen);
  await child.whenReadingKeys();
  const asked = child.whenWritten('g');
  child.write('g');
  await asked;
  const begun = child.whenWritten('one line of an answer');
  const ended = child.whenWritten(TURN_END);
  child.write('\r');
  const startedAt = await begun;
  const keys: number[] = [];
  const streaming = { endedAt: 0 };
  void ended.then((at) => {
    streaming.endedAt = at;
  });
  for (let round = 0; streaming.endedAt === 0; round += 1) keys.push(await timeKey(child, round));
  return {
    keys,
    tookMs: streaming.endedAt - startedAt,
    afterBytes: await residentMemoryBytes(child.pid),
    peakBytes: await peakMemoryBytes(child.pid),
  };
}

/** Resumes a session of `count` messages, every second one an answer. */
async function longSession({ cwd, env }: Program, messages: number): Promise<Program> {
  const sessionId = crypto.randomUUID();
  const cli = toCli({ cwd, env });
  const child = await initialized({ ...cli, args: [...cli.args, '--session-id', sessionId] });
  for (let count = 0; count < messages; count += 2) await takeTurn(child);
  await child.end();
  return { args: [CLI_BIN, '--resume', sessionId], cwd, env };
}
