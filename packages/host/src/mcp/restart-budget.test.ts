import { verifies } from '@qwen/testkit';
import { afterEach, expect, test, vi } from 'vitest';
import { RestartBudget } from './restart-budget.js';

afterEach(() => {
  vi.useRealTimers();
});

test.each([
  ['forward', 24 * 60 * 60_000],
  ['back', -24 * 60 * 60_000],
])('a clock jump of %s changes no number of starts', (_where, jumpMs) => {
  verifies('F55');
  vi.useFakeTimers({ toFake: ['Date'] });
  let nowMs = 0;
  const budget = new RestartBudget({ nowMs: () => nowMs });
  const take = (): boolean => {
    vi.setSystemTime(Date.now() + jumpMs);
    return budget.take();
  };
  expect(Array.from({ length: 5 }, take)).toEqual([true, true, true, true, false]);
  nowMs = 60_000;
  expect(take()).toBe(true);
});

test('the default clock is monotonic', () => {
  verifies('F55');
  vi.useFakeTimers({ toFake: ['Date'] });
  const budget = new RestartBudget();
  const starts = Array.from({ length: 5 }, (_, day) => {
    vi.setSystemTime(day * 24 * 60 * 60_000);
    return budget.take();
  });
  expect(starts).toEqual([true, true, true, true, false]);
});

test('each start of the window doubles the wait for the next', () => {
  const budget = new RestartBudget();
  const delays = Array.from({ length: 3 }, () => {
    budget.take();
    return budget.delayMs;
  });
  expect(delays).toEqual([500, 1_000, 2_000]);
});
