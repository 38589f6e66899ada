import { once } from 'node:events';
import { PassThrough, Writable } from 'node:stream';
import { verifies } from '@qwen/testkit';
import { expect, test } from 'vitest';
import { LineWriter } from './line-writer.js';

/** Takes one write per `takeOne()`. */
class SlowReader extends Writable {
  readonly writes: string[] = [];
  readonly #taken: (() => void)[] = [];

  constructor(highWaterMark = 10) {
    super({ highWaterMark, decodeStrings: false });
  }

  override _write(chunk: string, _encoding: string, callback: () => void): void {
    this.writes.push(chunk);
    this.#taken.push(callback);
  }

  takeOne(): void {
    this.#taken.shift()?.();
  }
}

/** Whether a promise has settled by the end of this tick. */
async function isSettled(promise: Promise<unknown>): Promise<boolean> {
  const open = Symbol('open');
  await new Promise((resolve) => setImmediate(resolve));
  return (await Promise.race([promise, Promise.resolve(open)])) !== open;
}

test('writes the lines of one tick together, in order', async () => {
  verifies('M-74', 'F33', 'CF-50');
  const output = new SlowReader(1000);
  const writer = new LineWriter(output);
  void writer.write('a\n');
  void writer.write('b\n');
  expect(output.writes).toEqual([]);
  await Promise.resolve();
  expect(await isSettled(writer.write('c\n'))).toBe(true);
  expect(output.writes).toEqual(['a\nb\nc\n']);
});

test('writes a control line immediately, after everything written before it', () => {
  verifies('M-72', 'F33', 'CF-50');
  const output = new SlowReader();
  const writer = new LineWriter(output);
  void writer.write('data\n');
  writer.writeControl('control\n');
  expect(output.writes).toEqual(['data\ncontrol\n']);
});

test('the gate holds data lines, passes control lines, and keeps the order', async () => {
  verifies('F29', 'FB3');
  const output = new SlowReader(1000);
  const writer = new LineWriter(output);
  writer.pause();
  writer.pause();
  const first = writer.write('1\n');
  void writer.write('2\n');
  writer.writeControl('answer\n');
  output.takeOne();
  expect(await isSettled(first)).toBe(false);
  expect(output.writes).toEqual(['answer\n']);
  writer.resume();
  void writer.write('3\n');
  await first;
  expect(await isSettled(first)).toBe(true);
  expect(output.writes).toEqual(['answer\n', '1\n2\n3\n']);
});

test('a full output blocks data writers until it drains', async () => {
  verifies('T21', 'F29');
  const output = new SlowReader(10);
  const writer = new LineWriter(output);
  void writer.write('a long line of data\n');
  writer.writeControl('');
  const next = writer.write('next\n');
  expect(await isSettled(next)).toBe(false);
  output.takeOne();
  expect(await isSettled(next)).toBe(false);
  output.takeOne();
  await next;
  expect(output.writes).toEqual(['a long line of data\n', 'next\n']);
});

test.each([
  ['fails', (output: SlowReader) => output.destroy(new Error('EPIPE'))],
  ['closes', (output: SlowReader) => output.destroy()],
])('a write that waits for room is let go when the output %s', async (_how, lose) => {
  verifies('T22', 'F28');
  const output = new SlowReader(1);
  const lost: string[] = [];
  const writer = new LineWriter(output, { onLost: (error) => lost.push(error.code) });
  void writer.write('full\n');
  writer.writeControl('');
  const waits = writer.write('waits\n');
  writer.pause();
  const held = writer.write('held\n');
  const flushed = writer.flush();
  lose(output);
  await Promise.all([waits, held, flushed]);
  expect(lost).toEqual(['channel_closed']);
  await writer.write('dropped\n');
  writer.writeControl('dropped\n');
  await writer.flush();
  expect(output.writes).toEqual(['full\n']);
});

test('flush opens the gate and waits until every byte is written', async () => {
  verifies('F32');
  const output = new SlowReader(1);
  const writer = new LineWriter(output);
  writer.writeControl('1\n');
  writer.pause();
  void writer.write('2\n');
  const flushed = writer.flush();
  output.takeOne();
  expect(await isSettled(flushed)).toBe(false);
  expect(output.writes).toEqual(['1\n', '2\n']);
  output.takeOne();
  await flushed;
});

test('each flush waits for what was written before it', async () => {
  const output = new SlowReader();
  const writer = new LineWriter(output);
  for (const line of ['first\n', 'second\n']) {
    void writer.write(line);
    const flushed = writer.flush();
    expect(await isSettled(flushed)).toBe(false);
    output.takeOne();
    await flushed;
  }
});

test('flush without data resolves immediately', async () => {
  const writer = new LineWriter(new SlowReader());
  await expect(writer.flush()).resolves.toBeUndefined();
});

test('20,000 lines through a real stream arrive complete and in order', async () => {
  const output = new PassThrough();
  const writer = new LineWriter(output);
  let text = '';
  output.setEncoding('utf8').on('data', (chunk: string) => {
    text += chunk;
  });
  for (let index = 0; index < 20_000; index += 1) await writer.write(`${index}\n`);
  await writer.flush();
  output.end();
  await once(output, 'end');
  expect(text === Array.from({ length: 20_000 }, (_, index) => `${index}\n`).join('')).toBe(true);
});
