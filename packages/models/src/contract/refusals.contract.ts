import { createModel, DEFAULT_MODEL_LIMITS } from '@qwen/models';
import { type ByteReply, startByteServer, verifies } from '@qwen/testkit';
import { describe, expect, test } from 'vitest';
import { collect, failureOf, partsOf, QUESTION, textOf } from '../../test/collect.js';
import { eventsOf, type FamilyUnderTest } from '../../test/families.js';
import { ManualClock } from '../../test/manual-clock.js';

const NOW = '2030-01-01T00:00:00.000Z';
const ONE_USED_UP = {
  'x-ratelimit-remaining-requests': '12',
  'x-ratelimit-reset-requests': '30s',
  'x-ratelimit-remaining-tokens': '0',
  'x-ratelimit-reset-tokens': '6s',
};

const plain = (body: string): ByteReply => ({ headers: { 'content-type': 'text/plain' }, chunks: [body] });

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
      const parts = await collect(await createModel({ ...family.configFor(server.url), clock }), QUESTION, { clock });
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
      ['a past date', 'Mon, 31 Dec 2029 00:00:00 GMT', 750],
      ['a negative number', '-5', 750],
      ['zero', '0', 750],
      ['text', 'soon', 750],
      ['nothing', '', 750],
    ])('Retry-After with %s', async ([, value, delayMs]) => {
      verifies('F60');
      const { retries } = await ask([refusal(429, 'slow down', { 'retry-after': value }), good]);
      expect(retries).toMatchObject([{ delayMs }]);
    });

    test.for<[string, Readonly<Record<string, string>>, number]>([
      ['milliseconds', { 'retry-after-ms': '1250' }, 1_250],
      ['a duration', { 'x-ratelimit-reset-requests': '1m2.5s' }, 62_500],
      ['the used-up one', ONE_USED_UP, 6_000],
      ['epoch milliseconds', { 'x-ratelimit-reset': String(Date.parse(NOW) + 9_000) }, 9_000],
      ['epoch seconds', { 'x-ratelimit-reset': String(Date.parse(NOW) / 1_000 + 9) }, 9_000],
      ['a point in time', { 'anthropic-ratelimit-requests-reset': '2030-01-01T00:00:08Z' }, 8_000],
      ['a reset in a day, which is ignored', { 'x-ratelimit-reset-tokens': '23h59m' }, 750],
    ])('the reset of a limit as %s', async ([, headers, delayMs]) => {
      const { retries } = await ask([refusal(429, 'slow down', headers), good]);
      expect(retries).toMatchObject([{ delayMs }]);
    });

    test('a delay in the message is waited for', async () => {
      const { retries } = await ask([refusal(429, 'Rate limit reached. Please try again in 7.66s.'), good]);
      expect(retries).toMatchObject([{ delayMs: 7_660 }]);
    });

    test.for([429, 500])('status %i is retried for minutes, with growing delays, then fails', async (status) => {
      verifies('F61', 'F62');
      const { parts, retries } = await ask([refusal(status)]);
      expect(failureOf(parts).data).toMatchObject({ status, model: QUESTION.model });
      const waits = retries.map((retry) => retry.delayMs);
      expect(waits.slice(0, 6)).toEqual([750, 1_500, 3_000, 6_000, 12_000, 15_000]);
      expect(waits.reduce((sum, wait) => sum + wait, 0)).toBe(DEFAULT_MODEL_LIMITS.retryTimeMs);
      expect(retries.map(({ attempt }) => attempt)).toEqual(waits.map((_, index) => index + 1));
    });

    test('with another model at hand an overload is retried twice', async () => {
      const clock = new ManualClock({ now: NOW });
      await using server = await startByteServer([refusal(529)]);
      const model = await createModel({ ...family.configFor(server.url), clock });
      const parts = await collect(model, QUESTION, { clock, hasFallback: true });
      expect(partsOf(parts, 'retry')).toHaveLength(2);
      expect(failureOf(parts)).toMatchObject({ code: 'provider_error', data: { status: 529 } });
    });

    test.for(['insufficient_quota', 'Your credit balance is too low', 'Insufficient Balance'])(
      'an account without money is not retried: %s',
      async (message) => {
        const { parts, requestCount } = await ask([refusal(429, message)]);
        expect(failureOf(parts).code).toBe('permission_refused');
        expect(requestCount).toBe(1);
      },
    );

    test('errors name the address, the model and where the key is configured', async () => {
      await using server = await startByteServer([refusal(401, 'bad key')]);
      const sources = { apiKey: 'SOME_API_KEY', baseUrl: 'SOME_BASE_URL' };
      const model = await createModel({ ...family.configFor(server.url), sources });
      const { message } = failureOf(await collect(model, QUESTION));
      expect(message).toMatch(/^The provider returned 401: .*bad key/);
      expect(message).toContain(`The model was ${QUESTION.model} at ${server.url}/`);
      expect(message).toContain('Check SOME_API_KEY.');
    });

    test.for([
      [402, 'Check the balance and permissions of the account and SOME_API_KEY.'],
      [404, 'Check the name of the model (--model) and SOME_BASE_URL.'],
    ] as const)('a refusal with status %i names what to check', async ([status, advice]) => {
      await using server = await startByteServer([refusal(status, 'no')]);
      const sources = { apiKey: 'SOME_API_KEY', baseUrl: 'SOME_BASE_URL' };
      const model = await createModel({ ...family.configFor(server.url), sources });
      expect(failureOf(await collect(model, QUESTION)).message).toContain(advice);
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
      expect(message).toMatch(/漢…/u);
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

    test.for<[string, ByteReply, string, string, number]>([
      ['the text of an overflow', plain('Prompt too long'), 'context_overflow', 'Prompt too long', 1],
      ['a code and msg', plain('{"code":1261,"msg":"Prompt too long","success":false}'), 'context_overflow', 'long', 1],
      ['a status', plain('{"status":"error","message":"no GPU"}'), 'provider_error', 'no GPU', 6],
      ['other names', plain('{"error_code":17,"error_msg":"no GPU"}'), 'provider_error', 'no GPU', 6],
      ['the text of a gateway', plain('upstream request timeout'), 'provider_error', 'upstream request timeout', 6],
      ['no body', { status: 204, chunks: [] }, 'stream_interrupted', 'returned 204 without an answer', 3],
      ['comments', { chunks: [': a\n\n'] }, 'stream_interrupted', 'returned 200 without an answer', 3],
      ['another encoding', { ...good, headers: { 'content-encoding': 'gzip' } }, 'bad_model_response', 'Encoding', 3],
    ])('a response of 2xx with %s instead of an answer', async ([, reply, code, message, count]) => {
      const { parts, requestCount } = await ask([reply]);
      expect(failureOf(parts)).toMatchObject({ code, message: expect.stringContaining(message) });
      expect(requestCount).toBe(count);
    });

    test.for<[string, object, string, string]>([
      ['a key cut off by dots', { apiKey: 'sk-canary\u2026' }, 'auth_failed', 'MY_KEY contains the character U+2026'],
      ['a key in two lines', { apiKey: 'sk-canary\nx' }, 'auth_failed', 'MY_KEY contains a line break'],
      ['a header', { headers: { 'x-a': 'sk-canary\u4e2d' } }, 'invalid_options', 'The header "x-a" contains'],
    ])('%s that cannot be sent is named, and nothing is sent', async ([, given, code, message]) => {
      await using server = await startByteServer([good]);
      const config = { ...family.configFor(server.url), sources: { apiKey: 'MY_KEY' }, ...given };
      const error = failureOf(await collect(await createModel(config), QUESTION));
      expect(error).toMatchObject({ code, message: expect.stringContaining(message) });
      expect(error.message).not.toContain('canary');
      expect(server.requests).toHaveLength(0);
    });
  });
}
