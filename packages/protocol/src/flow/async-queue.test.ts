import { verifies } from '@qwen/testkit';
import * as fc from 'fast-check';
import { expect, test } from 'vitest';
import { AsyncQueue } from './async-queue.js';

async function readAll<T>(queue: AsyncQueue<T>): Promise<T[]> {
  const items: T[] = [];
  for await (const item of queue) items.push(item);
  return items;
}

test('items arrive in order, whether reader or writer waits', async () => {
  const queue = new AsyncQueue<number>();
  queue.push(1);
  const read = readAll(queue);
  await Promise.resolve();
  queue.push(2);
  queue.push(3);
  queue.end();
  queue.push(4);
  expect(await read).toEqual([1, 2, 3]);
});

test('an error follows the queued items, once', async () => {
  const queue = new AsyncQueue<number>();
  queue.push(1);
  queue.fail(new Error('boom'));
  queue.end();
  const reader = queue[Symbol.asyncIterator]();
  expect(await reader.next()).toEqual({ done: false, value: 1 });
  await expect(reader.next()).rejects.toThrow('boom');
  expect(await reader.next()).toEqual({ done: true, value: undefined });
});

test('concurrent reads are served in order, and the end reaches all of them', async () => {
  const queue = new AsyncQueue<number>();
  const reader = queue[Symbol.asyncIterator]();
  const reads = [reader.next(), reader.next(), reader.next()];
  queue.push(1);
  queue.fail(new Error('boom'));
  expect(await Promise.allSettled(reads)).toMatchObject([
    { status: 'fulfilled', value: { value: 1 } },
    { status: 'rejected', reason: { message: 'boom' } },
    { status: 'fulfilled', value: { done: true } },
  ]);
});

test('leaving the loop drops the rest and closes the source once', async () => {
  verifies('T19');
  let returned = 0;
  const queue = new AsyncQueue<number>({ onReturn: () => void (returned += 1) });
  for (const item of [1, 2, 3]) queue.push(item);
  for await (const item of queue) if (item === 1) break;
  expect([queue.size, returned]).toEqual([0, 1]);
  queue.push(4);
  expect(queue.size).toBe(0);
});

test('leaving waits for the source to close, and rejects with its error', async () => {
  const queue = new AsyncQueue<number>({ onReturn: () => Promise.reject(new Error('stuck')) });
  await expect(queue[Symbol.asyncIterator]().return?.()).rejects.toThrow('stuck');
});

test('a loop that ends by itself closes nothing', async () => {
  let returned = 0;
  const queue = new AsyncQueue<number>({ onReturn: () => void (returned += 1) });
  queue.end();
  const reader = queue[Symbol.asyncIterator]();
  await reader.next();
  await reader.return?.();
  expect(returned).toBe(0);
});

test('leaving releases a pending read', async () => {
  const queue = new AsyncQueue<number>();
  const reader = queue[Symbol.asyncIterator]();
  const waiting = reader.next();
  await reader.return?.();
  expect(await waiting).toEqual({ done: true, value: undefined });
});

test('a second reader is refused', () => {
  const queue = new AsyncQueue<number>();
  queue[Symbol.asyncIterator]();
  expect(() => queue[Symbol.asyncIterator]()).toThrow(expect.objectContaining({ code: 'already_reading' }));
});

const mergeText = (previous: string, next: string) =>
  previous.startsWith('!') || next.startsWith('!') ? undefined : previous + next;

test('neighbors are merged above the limit, except those that must stay separate', async () => {
  verifies('T20');
  const queue = new AsyncQueue<string>({ weigh: (item) => item.length, merge: mergeText, mergeAboveBytes: 3 });
  for (const item of ['aa', 'bb', 'cc', '!', 'dd', 'ee']) queue.push(item);
  expect([queue.size, queue.weight]).toEqual([4, 11]);
  queue.end();
  expect(await readAll(queue)).toEqual(['aa', 'bbcc', '!', 'ddee']);
  expect([queue.size, queue.weight]).toEqual([0, 0]);
});

test('writers are paused and resumed alternately', async () => {
  verifies('T21');
  const flow: boolean[] = [];
  const queue = new AsyncQueue<string>({
    weigh: (item) => item.length,
    highWaterBytes: 4,
    lowWaterBytes: 1,
    onFlow: (paused) => flow.push(paused),
  });
  for (const item of ['aa', 'bb', 'c', 'd']) queue.push(item);
  expect(flow).toEqual([true]);
  const reader = queue[Symbol.asyncIterator]();
  await reader.next();
  await reader.next();
  expect(flow).toEqual([true]);
  await reader.next();
  expect(flow).toEqual([true, false]);
  await reader.next();
  expect(flow).toEqual([true, false]);
  queue.push('eeeee');
  expect(flow).toEqual([true, false, true]);
});

test('without a low mark, writers resume at half of the high mark', async () => {
  const flow: boolean[] = [];
  const queue = new AsyncQueue<string>({
    weigh: (item) => item.length,
    highWaterBytes: 4,
    onFlow: (paused) => flow.push(paused),
  });
  for (const item of ['aaa', 'b', 'c']) queue.push(item);
  const reader = queue[Symbol.asyncIterator]();
  await reader.next();
  expect(flow).toEqual([true, false]);
});

test('nothing is lost, repeated or reordered, merged or not', async () => {
  await fc.assert(
    fc.asyncProperty(fc.array(fc.string({ maxLength: 4 })), fc.array(fc.boolean()), async (items, pattern) => {
      const queue = new AsyncQueue<string>({
        weigh: (item) => item.length,
        merge: (previous, next) => previous + next,
        mergeAboveBytes: 5,
      });
      const reader = queue[Symbol.asyncIterator]();
      let read = '';
      for (const [index, item] of items.entries()) {
        queue.push(item);
        if (pattern[index] === true && queue.size > 0) read += (await reader.next()).value ?? '';
      }
      queue.end();
      for (let next = await reader.next(); next.done !== true; next = await reader.next()) read += next.value;
      expect(read).toBe(items.join(''));
      expect([queue.size, queue.weight]).toEqual([0, 0]);
    }),
  );
});
