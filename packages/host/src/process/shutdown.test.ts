import { verifies } from '@qwen/testkit';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { Shutdown } from './shutdown.js';

beforeEach(() => vi.useFakeTimers());
afterEach(() => vi.useRealTimers());

const endless = new Promise<never>(() => {});

test('without a shutdown the work has no time limit', async () => {
  const shutdown = new Shutdown();
  const work = Promise.withResolvers<void>();
  let isOver = false;
  const waited = shutdown.bound(work.promise, 10).then(() => {
    isOver = true;
  });
  await vi.advanceTimersByTimeAsync(60_000);
  expect(isOver).toBe(false);
  work.resolve();
  await waited;
});

test('the limit counts from the shutdown, also for later work, and leaves no timer', async () => {
  verifies('F56', 'T12');
  const shutdown = new Shutdown();
  let ended = 0;
  const count = () => {
    ended += 1;
  };
  void shutdown.bound(endless, 1000).then(count);
  shutdown.begin(143);
  await vi.advanceTimersByTimeAsync(999);
  expect(ended).toBe(0);
  await vi.advanceTimersByTimeAsync(1);
  expect(ended).toBe(1);
  void shutdown.bound(endless, 1500).then(count);
  await vi.advanceTimersByTimeAsync(499);
  expect(ended).toBe(1);
  await vi.advanceTimersByTimeAsync(1);
  expect(ended).toBe(2);
  await shutdown.bound(Promise.resolve(), 5000);
  expect(vi.getTimerCount()).toBe(0);
});

test('work that ended before the shutdown leaves no timer', async () => {
  verifies('T12');
  const shutdown = new Shutdown();
  await shutdown.bound(Promise.resolve(), 5000);
  shutdown.begin(143);
  await vi.advanceTimersByTimeAsync(0);
  expect(vi.getTimerCount()).toBe(0);
});

test('the first exit code applies, and every listener is notified once', async () => {
  const shutdown = new Shutdown();
  let heard = 0;
  shutdown.onBegin(() => {
    heard += 1;
  });
  expect(shutdown.exitCode).toBeUndefined();
  shutdown.begin(130);
  shutdown.begin(1);
  await shutdown.bound(Promise.resolve(), 0);
  expect([shutdown.exitCode, heard]).toEqual([130, 1]);
});
