import { createModel, DEFAULT_MODEL_LIMITS } from '@qwen/models';
import { type ByteReply, startByteServer, verifies } from '@qwen/testkit';
import { describe, expect, test } from 'vitest';
import { collect, failureOf, partsOf, QUESTION, textOf } from '../../test/collect.js';
import { eventsOf, type FamilyUnderTest } from '../../test/family-under-test.js';
import { ManualClock } from '../../test/manual-clock.js';

const NOW = '2030-01-01T00:00:00.000Z';

export function describeRefusals(family: FamilyUnderTest): void {
  describe('refusals', () => {
    const json = { 'content-type': 'application/json' };
    const good: ByteReply = { chunks: [eventsOf([family.text('Hello'), ...family.finish(family.reasons.stop)])] };
    const refusal = (status: number, message = 'no', headers = {}): ByteReply => ({
      status,
      headers: { ...json, ...headers },
      chunks: [family.errorBody(message)],
    });
    const ask = async (replies: readonly ByteReply[]) => {
      const clock = new ManualClock({ now: NOW });
      await using server = await startByteServer(replies);
      const parts = await collect(await createModel({ ...family.configFor(server.url), clock }), QUESTION, clock);
      return { parts, retries: partsOf(parts, 'retry'), requestCount: server.requests.length };
    };

    test('a rate limit with a delay is retried after it', async () => {
      verifies('F58');
      const { parts, retries, requestCount } = await ask([refusal(429, 'slow down', { 'retry-after': '2' }), good]);
      expect(retries).toMatchObject([{ attempt: 1, delayMs: 2_000, error: { code: 'rate_limited' } }]);
      expect(textOf(parts)).toBe('Hello');
      expect(requestCount).toBe(2);
      expect(parts.map((part) => part.type)).toEqual(['retry', 'start', 'text_delta', 'finish']);
    });

    test('a delay beyond the limit is an error', async () => {
      verifies('F59');
      const { parts, retries, requestCount } = await ask([refusal(429, 'later', { 'retry-after': '3600' })]);
      expect(failureOf(parts)).toMatchObject({ code: 'rate_limited', data: { status: 429, retryAfterSeconds: 3600 } });
      expect(retries).toEqual([]);
      expect(requestCount).toBe(1);
    });

    test.for<[string, string, number]>([
      ['an HTTP date', 'Tue, 01 Jan 2030 00:00:30 GMT', 30_000],
      ['part of a second', '1.5', 1_500],
      ['a past date', 'Mon, 31 Dec 2029 00:00:00 GMT', 600],
      ['a negative number', '-5', 600],
      ['zero', '0', 600],
      ['text', 'soon', 600],
      ['nothing', '', 600],
    ])('Retry-After with %s', async ([, value, delayMs]) => {
      verifies('F60');
      const { retries } = await ask([refusal(429, 'slow down', { 'retry-after': value }), good]);
      expect(retries).toMatchObject([{ delayMs }]);
    });

    test('a permanent rate limit fails after the allowed attempts', async () => {
      verifies('F61');
      const { parts, retries, requestCount } = await ask([refusal(429)]);
      expect(failureOf(parts).code).toBe('rate_limited');
      expect(requestCount).toBe(DEFAULT_MODEL_LIMITS.maxAttempts);
      expect(retries.map((retry) => retry.delayMs)).toEqual([600, 1_100, 2_100, 4_100]);
    });

    test.for([500, 502, 503, 529])('status %i is retried', async (status) => {
      verifies('F62');
      const page = `<html><head><title>${status} from the proxy</title></head>${'x'.repeat(100_000)}</html>`;
      const { parts, retries } = await ask([
        { status, headers: { 'content-type': 'text/html' }, chunks: [page] },
        good,
      ]);
      expect(retries).toMatchObject([{ error: { code: 'provider_error' } }]);
      expect(retries[0]?.error.message).toContain(`${status} from the proxy`);
      expect(textOf(parts)).toBe('Hello');
    });

    test('a long error text is truncated to two kilobytes', async () => {
      verifies('F62');
      const { parts } = await ask([refusal(400, '漢'.repeat(5_000))]);
      const { message } = failureOf(parts);
      expect(Buffer.byteLength(message)).toBeLessThanOrEqual(2_048);
      expect(message).toMatch(/漢…$/u);
    });

    test.for([
      [400, 'invalid_request'],
      [401, 'auth_failed'],
      [402, 'permission_refused'],
      [403, 'permission_refused'],
      [404, 'model_not_found'],
      [413, 'context_overflow'],
      [422, 'invalid_request'],
      [308, 'invalid_request'],
    ] as const)('status %i is not retried and is %s', async ([status, code]) => {
      verifies('F63', 'S106');
      const { parts, requestCount } = await ask([refusal(status, 'bad key sk-canary-0123456789')]);
      const error = failureOf(parts);
      expect(error).toMatchObject({ code, data: { status } });
      expect(`${error.message} ${error.stack} ${JSON.stringify(error)}`).not.toContain('sk-canary');
      expect(error.message).toContain('bad key [redacted]');
      expect(requestCount).toBe(1);
    });

    test('a redirect is an error and not followed', async () => {
      verifies('F63');
      await using elsewhere = await startByteServer([good]);
      const { parts } = await ask([refusal(307, 'moved', { location: `${elsewhere.url}/v2` })]);
      expect(failureOf(parts)).toMatchObject({
        code: 'invalid_request',
        message: expect.stringContaining(`${elsewhere.url}/v2`),
      });
      expect(elsewhere.requests).toHaveLength(0);
    });

    test('an endless error body is read up to a limit', async () => {
      verifies('F62');
      const endless: ByteReply = { status: 400, chunks: ['x'.repeat(70_000)], ending: 'hang' };
      const { parts } = await ask([endless]);
      expect(failureOf(parts).code).toBe('invalid_request');
    });

    test('a context overflow has its own code', async () => {
      verifies('F77');
      const { parts, requestCount } = await ask([refusal(400, family.overflowMessage)]);
      expect(failureOf(parts).code).toBe('context_overflow');
      expect(requestCount).toBe(1);
    });
  });
}
