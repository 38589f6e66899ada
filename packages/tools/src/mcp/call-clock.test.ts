import { verifies } from '@qwen/testkit';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { CallClocks } from './call-clock.js';

const LIMIT_MS = 60_000;

beforeEach(() => {
  vi.useFakeTimers();
});
afterEach(() => {
  vi.useRealTimers();
});

test('a call of 90 s that reports progress does not time out', () => {
  verifies('FB14');
  const clocks = new CallClocks();
  const onLate = vi.fn<() => void>();
  const clock = clocks.start(LIMIT_MS, onLate);
  vi.advanceTimersByTime(45_000);
  clock.restart();
  vi.advanceTimersByTime(45_000);
  expect(onLate).not.toHaveBeenCalled();
  vi.advanceTimersByTime(15_000);
  expect(onLate).toHaveBeenCalledOnce();
});

test('endless progress times out after ten limits', () => {
  verifies('F106');
  const clocks = new CallClocks();
  const onLate = vi.fn<() => void>();
  const clock = clocks.start(LIMIT_MS, onLate);
  for (let second = 1; second < 600; second += 1) {
    vi.advanceTimersByTime(1000);
    clock.restart();
  }
  expect(onLate).not.toHaveBeenCalled();
  vi.advanceTimersByTime(1000);
  expect(onLate).toHaveBeenCalledOnce();
});

test('a system clock that is set forward does not end a call', () => {
  const onLate = vi.fn<() => void>();
  const clock = new CallClocks().start(LIMIT_MS, onLate);
  vi.setSystemTime(Date.now() + 3_600_000);
  clock.restart();
  vi.advanceTimersByTime(LIMIT_MS - 1);
  expect(onLate).not.toHaveBeenCalled();
});

test('the clock stops during a question to the user, and calls that end meanwhile do not time out', async () => {
  const clocks = new CallClocks();
  const [onLate, onOver] = [vi.fn<() => void>(), vi.fn<() => void>()];
  clocks.start(LIMIT_MS, onLate);
  const over = clocks.start(LIMIT_MS, onOver);
  const [first, second] = [Promise.withResolvers<void>(), Promise.withResolvers<void>()];
  const questions = [clocks.during(first.promise), clocks.during(second.promise)];
  const onLateToo = vi.fn<() => void>();
  clocks.start(LIMIT_MS, onLateToo).restart();
  vi.advanceTimersByTime(LIMIT_MS * 2);
  clocks.stop(over);
  first.resolve();
  await questions[0];
  vi.advanceTimersByTime(LIMIT_MS * 2);
  expect([onLate, onLateToo]).toSatisfy((calls: (typeof onLate)[]) =>
    calls.every((one) => one.mock.calls.length === 0),
  );
  second.resolve();
  await questions[1];
  vi.advanceTimersByTime(LIMIT_MS);
  expect([onLate, onLateToo, onOver].map((one) => one.mock.calls.length)).toEqual([1, 1, 0]);
});

test('time of questions does not count toward the ten limits', async () => {
  const clocks = new CallClocks();
  const onLate = vi.fn<() => void>();
  const clock = clocks.start(LIMIT_MS, onLate);
  const answered = Promise.withResolvers<void>();
  const question = clocks.during(answered.promise);
  vi.advanceTimersByTime(LIMIT_MS * 20);
  answered.resolve();
  await question;
  vi.advanceTimersByTime(LIMIT_MS - 1);
  clock.restart();
  vi.advanceTimersByTime(LIMIT_MS - 1);
  expect(onLate).not.toHaveBeenCalled();
});
