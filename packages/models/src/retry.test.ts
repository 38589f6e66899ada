import { AgentError } from '@qwen/protocol';
import { verifies } from '@qwen/testkit';
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { DEFAULT_MODEL_LIMITS as limits } from './model.js';
import { retryDelayMs } from './retry.js';

const limited = (retryAfterSeconds?: unknown) =>
  new AgentError('rate_limited', 'slow down', {
    data: { ...(retryAfterSeconds !== undefined && { retryAfterSeconds }) },
  });

test('a delay is always positive, finite and a number', () => {
  verifies('F60');
  const random = fc.double({ min: 0, max: 1, maxExcluded: true, noNaN: true });
  const asked = fc.option(fc.double({ min: 0, noNaN: true, minExcluded: true }), { nil: undefined });
  fc.assert(
    fc.property(random, fc.integer({ min: 1, max: 4 }), asked, (chance, attempt, seconds) => {
      const delayMs = retryDelayMs({ error: limited(seconds), attempt, limits, random: chance });
      const isTooLong = seconds !== undefined && Math.ceil(seconds * 1_000) > limits.maxRetryAfterMs;
      expect(delayMs === undefined).toBe(isTooLong);
      expect(delayMs ?? 200).toBeGreaterThanOrEqual(200);
      expect(delayMs ?? 200).toBeLessThanOrEqual(limits.maxRetryAfterMs);
    }),
  );
});

test('delays grow with each attempt up to a limit', () => {
  const longest = [1, 2, 3, 4].map((attempt) => retryDelayMs({ error: limited(), attempt, limits, random: 0.999_999 }));
  expect(longest).toEqual([999, 1_999, 3_999, 7_999]);
});

test('attempts are limited, and permanent errors are not retried', () => {
  verifies('F61', 'F63');
  expect(retryDelayMs({ error: limited(), attempt: limits.maxAttempts, limits, random: 0 })).toBeUndefined();
  expect(retryDelayMs({ error: new AgentError('auth_failed', 'no'), attempt: 1, limits, random: 0 })).toBeUndefined();
});
