import { expect, test } from 'vitest';
import { readModelLimits } from './model-limits.js';

test('flags override settings, and unset limits are absent', () => {
  expect(readModelLimits({}, {})).toEqual({});
  const settings = { timeouts: { firstByte: 900, idle: 0 }, retry: { time: 30 } };
  expect(readModelLimits({}, settings)).toEqual({ firstByteTimeoutMs: 900_000, idleTimeoutMs: 0, retryTimeMs: 30_000 });
  const flags = { firstByteTimeout: '20m', answerTimeout: '0', maxRetryWait: '1.5', connectTimeout: '2s' };
  expect(readModelLimits(flags, settings)).toEqual({
    connectTimeoutMs: 2_000,
    firstByteTimeoutMs: 1_200_000,
    idleTimeoutMs: 0,
    totalTimeoutMs: 0,
    retryTimeMs: 30_000,
    maxRetryAfterMs: 1_500,
  });
});

test('a time beyond the longest timer becomes the longest timer', () => {
  expect(readModelLimits({ answerTimeout: '9999h' }, {})).toEqual({ totalTimeoutMs: 2_147_483_647 });
});

test.for(['soon', '-1', '1d', '', '0s0'])('"%s" is refused by the name of the flag', (idleTimeout) => {
  expect(() => readModelLimits({ idleTimeout }, {})).toThrow(/--idle-timeout needs seconds, or a time such as/);
});
