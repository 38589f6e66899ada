import { PassThrough } from 'node:stream';
import { verifies } from '@qwen/testkit';
import { afterEach, expect, test, vi } from 'vitest';
import { readPipedText } from './piped-text.js';

afterEach(() => vi.useRealTimers());

test('reads to the end, and joins a character split between chunks', async () => {
  verifies('F3');
  const input = new PassThrough();
  const text = readPipedText(input, { isOptional: false });
  const bytes = Buffer.from('añb');
  input.write(bytes.subarray(0, 2));
  input.end(bytes.subarray(2));
  expect(await text).toBe('añb');
});

test('a silent pipe is abandoned if it is optional and awaited otherwise', async () => {
  verifies('F27');
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] });
  const optional = readPipedText(new PassThrough(), { isOptional: true });
  const neededInput = new PassThrough();
  const needed = readPipedText(neededInput, { isOptional: false });
  await vi.advanceTimersByTimeAsync(60_000);
  expect(await optional).toBeUndefined();
  neededInput.end('late');
  expect(await needed).toBe('late');
});

test('a pipe that sends data in time is read to its end, however long that takes', async () => {
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] });
  const input = new PassThrough();
  const text = readPipedText(input, { isOptional: true });
  input.write('one ');
  await vi.advanceTimersByTimeAsync(60_000);
  input.end('two');
  expect(await text).toBe('one two');
});
