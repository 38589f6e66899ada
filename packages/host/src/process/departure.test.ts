import { verifies } from '@qwen/testkit';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { Departure } from './departure.js';

beforeEach(() => vi.useFakeTimers());
afterEach(() => vi.useRealTimers());

const endless = new Promise<never>(() => {});

test('without a departure the work takes the time that it takes', async () => {
  const departure = new Departure();
  const work = Promise.withResolvers<void>();
  let isOver = false;
  const waited = departure.bound(work.promise, 10).then(() => {
    isOver = true;
  });
  await vi.advanceTimersByTimeAsync(60_000);
  expect(isOver).toBe(false);
  work.resolve();
  await waited;
});

test('the limit counts from the departure, also for work that begins later, and leaves no timer', async () => {
  verifies('F56', 'T12');
  const departure = new Departure();
  let ended = 0;
  const count = () => {
    ended += 1;
  };
  void departure.bound(endless, 1000).then(count);
  departure.begin(143);
  await vi.advanceTimersByTimeAsync(999);
  expect(ended).toBe(0);
  await vi.advanceTimersByTimeAsync(1);
  expect(ended).toBe(1);
  void departure.bound(endless, 1500).then(count);
  await vi.advanceTimersByTimeAsync(499);
  expect(ended).toBe(1);
  await vi.advanceTimersByTimeAsync(1);
  expect(ended).toBe(2);
  await departure.bound(Promise.resolve(), 5000);
  expect(vi.getTimerCount()).toBe(0);
});

test('work that was over before the departure leaves no timer behind', async () => {
  verifies('T12');
  const departure = new Departure();
  await departure.bound(Promise.resolve(), 5000);
  departure.begin(143);
  await vi.advanceTimersByTimeAsync(0);
  expect(vi.getTimerCount()).toBe(0);
});

test('the first exit code counts, and everybody hears of it once', async () => {
  const departure = new Departure();
  let heard = 0;
  departure.onBegin(() => {
    heard += 1;
  });
  expect(departure.exitCode).toBeUndefined();
  departure.begin(130);
  departure.begin(1);
  await departure.bound(Promise.resolve(), 0);
  expect([departure.exitCode, heard]).toEqual([130, 1]);
});
