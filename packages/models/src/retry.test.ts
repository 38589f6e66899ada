import { AgentError } from '@qwen/protocol';
import { verifies } from '@qwen/testkit';
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { DEFAULT_MODEL_LIMITS as limits, limitsFor } from './model.js';
import { RetryPlan } from './retry.js';

const limited = (data: Readonly<Record<string, unknown>> = {}) => new AgentError('rate_limited', 'slow down', { data });
const failed = { emitted: false, hasAnswered: true, random: 0.5 };
const plan = (hasFallback = false) => new RetryPlan({ limits, hasFallback });

/** All delays until the plan gives up. */
function delaysOf(error: AgentError, more: Partial<typeof failed> & { readonly hasFallback?: boolean } = {}): number[] {
  const retries = plan(more.hasFallback);
  const delays: number[] = [];
  for (;;) {
    const delayMs = retries.nextDelayMs({ ...failed, ...more, error });
    if (delayMs === undefined) return delays;
    delays.push(delayMs);
  }
}

test('a delay is always positive, finite and a number', () => {
  verifies('F60');
  const random = fc.double({ min: 0, max: 1, maxExcluded: true, noNaN: true });
  const asked = fc.option(fc.double({ min: 0, noNaN: true, minExcluded: true }), { nil: undefined });
  fc.assert(
    fc.property(random, asked, (chance, seconds) => {
      const error = limited(seconds === undefined ? {} : { retryAfterSeconds: seconds });
      const delayMs = plan().nextDelayMs({ ...failed, error, random: chance });
      const isTooLong = seconds !== undefined && seconds * 1_000 > limits.maxRetryAfterMs;
      expect(delayMs === undefined).toBe(isTooLong);
      expect(delayMs ?? 200).toBeGreaterThanOrEqual(200);
      expect(delayMs ?? 200).toBeLessThanOrEqual(limits.maxRetryAfterMs);
    }),
  );
});

test.for([0, 0.3, 0.999_999])('retries last at least two minutes, whatever the jitter (%d)', (random) => {
  verifies('F61');
  const sum = delaysOf(limited(), { random }).reduce((total, delay) => total + delay, 0);
  expect(sum).toBeGreaterThanOrEqual(120_000);
  expect(sum).toBe(limits.retryTimeMs);
});

test('a provider may ask for more than a minute', () => {
  expect(delaysOf(limited({ retryAfterSeconds: 70 }))).toEqual([70_000, 70_000, 70_000, 70_000]);
});

test('a delay that the provider asks for fits into the time for retries', () => {
  const brief = new RetryPlan({ limits: { ...limits, retryTimeMs: 30_000 }, hasFallback: false });
  expect(brief.nextDelayMs({ ...failed, error: limited({ retryAfterSeconds: 20 }) })).toBe(20_000);
  expect(brief.nextDelayMs({ ...failed, error: limited({ retryAfterSeconds: 20 }) })).toBeUndefined();
  const again = new RetryPlan({ limits: { ...limits, retryTimeMs: 30_000 }, hasFallback: false });
  expect(again.nextDelayMs({ ...failed, error: limited({ resetSeconds: 40 }) })).toBe(750);
});

test('a delay that is only mentioned does not end the retries', () => {
  expect(delaysOf(limited({ resetSeconds: 9_999 }))[0]).toBe(750);
});

test('some failures are retried less often', () => {
  verifies('F63', 'F65', 'F66');
  const refused = new AgentError('network_unavailable', 'no', { data: { systemCode: 'ECONNREFUSED' } });
  expect(delaysOf(refused, { hasAnswered: false }).reduce((sum, delay) => sum + delay, 0)).toBe(20_000);
  const withoutTls = new AgentError('network_unavailable', 'no', { data: { systemCode: 'EPROTO' } });
  expect(delaysOf(withoutTls, { hasAnswered: false }).reduce((sum, delay) => sum + delay, 0)).toBe(20_000);
  expect(delaysOf(refused).reduce((sum, delay) => sum + delay, 0)).toBe(limits.retryTimeMs);
  expect(delaysOf(new AgentError('timeout', 'slow', { data: { limit: 'firstByte' } }))).toHaveLength(2);
  expect(delaysOf(new AgentError('stream_interrupted', 'cut'), { emitted: true })).toHaveLength(5);
  expect(delaysOf(new AgentError('stream_interrupted', 'cut'))).toHaveLength(5);
  expect(delaysOf(new AgentError('bad_model_response', 'no', { data: { willRepeat: true } }))).toHaveLength(2);
  expect(delaysOf(limited(), { hasFallback: true })).toHaveLength(2);
  expect(delaysOf(new AgentError('auth_failed', 'no'))).toEqual([]);
  expect(delaysOf(new AgentError('bad_model_response', 'page', { data: { permanent: true } }))).toEqual([]);
});

test.for([
  ['http://127.0.0.1:11434/v1', 600_000],
  ['http://[::1]:8080', 600_000],
  ['http://192.168.1.20:8000/v1', 600_000],
  ['http://vllm:8000/v1', 600_000],
  ['http://host.docker.internal/v1', 600_000],
  ['https://api.openai.com/v1', 300_000],
  ['https://172.32.0.1/v1', 300_000],
  [undefined, 300_000],
] as const)('the first byte of %s may take %d ms', ([baseUrl, firstByteTimeoutMs]) => {
  expect(limitsFor(baseUrl)).toMatchObject({ firstByteTimeoutMs });
  expect(limitsFor(baseUrl, { firstByteTimeoutMs: 1 })).toMatchObject({ firstByteTimeoutMs: 1 });
});
