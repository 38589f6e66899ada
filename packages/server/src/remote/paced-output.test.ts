import { once } from 'node:events';
import { verifies } from '@qwen/testkit';
import { expect, test } from 'vitest';
import { ECHO } from '../../test/remote-fixture.js';
import { PacedOutput } from './paced-output.js';

/** The most that Node.js reads from a pipe at once. */
const CHUNK_BYTES = 64 * 1024;

test('a program whose client falls behind is paused, and no output is lost', async () => {
  verifies('F29');
  const windowBytes = 100_000;
  const output = new PacedOutput(windowBytes);
  const child = output.spawn({ command: process.execPath, args: [ECHO], env: {}, cwd: undefined });
  let seq = 0;
  let bytes = 0;
  let most = 0;
  const tooMuch: (() => void)[] = [];
  child.stdout.on('data', (chunk: Buffer) => {
    seq += 1;
    bytes += chunk.length;
    output.sent(seq, chunk.length);
    most = Math.max(most, output.pendingBytes);
    if (child.stdout.isPaused()) tooMuch.shift()?.();
  });
  child.stdin.write('flood 1000\n');
  // It pauses four times until the client acknowledges lines.
  for (let round = 0; round < 4; round += 1) {
    await new Promise<void>((resolve) => tooMuch.push(resolve));
    expect(output.pendingBytes).toBeGreaterThan(windowBytes);
    output.acknowledged(seq);
    expect(output.pendingBytes).toBe(0);
    expect(child.stdout.isPaused()).toBe(false);
  }
  // Everything in the pipe at the exit is read.
  child.stdin.end();
  const exited = once(child.stdout, 'close');
  child.stdout.on('pause', () => output.acknowledged(seq));
  await exited;
  expect(bytes).toBe(1_000_000);
  expect(most).toBeLessThanOrEqual(windowBytes + CHUNK_BYTES);
});

test('a client may acknowledge late', () => {
  const output = new PacedOutput(10);
  for (const seq of [1, 2, 3]) output.sent(seq, 4);
  expect(output.pendingBytes).toBe(12);
  output.acknowledged(1);
  output.acknowledged(1);
  output.acknowledged(0);
  expect(output.pendingBytes).toBe(8);
  output.acknowledged(9);
  expect(output.pendingBytes).toBe(0);
});
