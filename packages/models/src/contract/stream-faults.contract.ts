import { once } from 'node:events';
import { createServer } from 'node:http';
import { createModel, type ModelPart } from '@qwen/models';
import { type ByteReply, startByteServer, verifies } from '@qwen/testkit';
import { describe, expect, test } from 'vitest';
import { collect, failureOf, partsOf, QUESTION, textOf } from '../../test/collect.js';
import { eventsOf, type FamilyUnderTest } from '../../test/families.js';
import { ManualClock } from '../../test/manual-clock.js';

export function describeStreamFaults(family: FamilyUnderTest): void {
  describe('faults of the stream', () => {
    const finish = family.finish(family.reasons.stop);
    const good: ByteReply = { chunks: [eventsOf([family.text('Hello'), ...finish])] };
    const ask = async (replies: readonly ByteReply[]) => {
      const clock = new ManualClock();
      await using server = await startByteServer(replies);
      const parts = await collect(await createModel({ ...family.configFor(server.url), clock }), QUESTION, { clock });
      return { parts, retries: partsOf(parts, 'retry'), requestCount: server.requests.length };
    };

    test('a connection reset before the first byte is retried', async () => {
      verifies('F65');
      const { parts, retries } = await ask([{ ending: 'reset' }, good]);
      expect(retries).toMatchObject([{ error: { code: 'network_unavailable' } }]);
      expect(textOf(parts)).toBe('Hello');
    });

    test('a refused connection fails within 30 seconds', async () => {
      verifies('F65');
      const gone = await startByteServer([]);
      await gone[Symbol.asyncDispose]();
      const clock = new ManualClock();
      const parts = await collect(await createModel({ ...family.configFor(gone.url), clock }), QUESTION, { clock });
      expect(failureOf(parts)).toMatchObject({ code: 'network_unavailable', data: { systemCode: 'ECONNREFUSED' } });
      const waits = partsOf(parts, 'retry').map((retry) => retry.delayMs);
      expect(waits.reduce((sum, wait) => sum + wait, 0)).toBe(20_000);
    });

    test('a provider that does not respond is a timeout and retried', async () => {
      verifies('F66');
      const clock = new ManualClock();
      const silent = createServer(() => undefined).listen(0, '127.0.0.1');
      await once(silent, 'listening');
      const address = silent.address();
      const port = typeof address === 'object' ? address?.port : undefined;
      const limits = { firstByteTimeoutMs: 5_000 };
      const model = await createModel({ ...family.configFor(`http://127.0.0.1:${port}`), clock, limits });
      const parts: ModelPart[] = [];
      void clock.fire(limits.firstByteTimeoutMs);
      for await (const part of model.stream(QUESTION, { signal: new AbortController().signal })) {
        parts.push(part);
        if (part.type !== 'retry') continue;
        void clock.fire(part.delayMs);
        void clock.fire(limits.firstByteTimeoutMs);
      }
      silent.closeAllConnections();
      silent.close();
      expect(partsOf(parts, 'retry').map(({ error }) => error.code)).toEqual(['timeout', 'timeout']);
      expect(failureOf(parts)).toMatchObject({ code: 'timeout', data: { limit: 'firstByte' } });
      expect(clock.pendingCount).toBe(0);
    });

    test.for(['cut', 'reset', 'end'] as const)(
      'an answer that breaks (%s) before its first content is requested again',
      async (ending) => {
        verifies('F67', 'F74');
        const { parts, retries } = await ask([{ chunks: [eventsOf([family.emptyPayload])], ending }, good]);
        expect(retries).toMatchObject([{ error: { code: 'stream_interrupted' } }]);
        expect(parts.map((part) => part.type)).toEqual(['retry', 'start', 'text_delta', 'finish']);
      },
    );

    test.for(['cut', 'reset', 'end'] as const)(
      'an answer that breaks (%s) after content is discarded and requested again',
      async (ending) => {
        verifies('F68', 'F74');
        const broken: ByteReply = { chunks: [eventsOf([family.text('Hel'), family.text('lo')])], ending };
        const { parts, retries } = await ask([broken, good]);
        expect(retries).toMatchObject([{ discards: true, error: { code: 'stream_interrupted' } }]);
        const types = ['start', 'text_delta', 'text_delta', 'retry', 'start', 'text_delta', 'finish'];
        expect(parts.map((part) => part.type)).toEqual(types);
        if (ending === 'end' && family.name === 'openai-compatible') return;
        const always = await ask([broken]);
        expect(always.requestCount).toBe(6);
        expect(failureOf(always.parts).code).toBe('stream_interrupted');
      },
    );

    test.for(['cut', 'hang'] as const)('a connection lost (%s) after the finish reason is ignored', async (ending) => {
      verifies('F74');
      const clock = new ManualClock();
      const payloads = [family.text('Hello'), ...finish.filter((payload) => payload !== '[DONE]')];
      await using server = await startByteServer([{ chunks: [eventsOf(payloads)], ending }]);
      const reading = collect(await createModel({ ...family.configFor(server.url), clock }), QUESTION);
      if (ending === 'hang') await clock.fire(2_000);
      expect((await reading).at(-1)).toMatchObject({ type: 'finish', reason: 'stop' });
    });

    test('a silent stream is stalled, and requested again', async () => {
      verifies('F69');
      const clock = new ManualClock();
      await using server = await startByteServer([{ chunks: [eventsOf([family.text('a')])], ending: 'hang' }, good]);
      const limits = { idleTimeoutMs: 7_000 };
      const model = await createModel({ ...family.configFor(server.url), clock, limits });
      const parts: ModelPart[] = [];
      for await (const part of model.stream(QUESTION, { signal: new AbortController().signal })) {
        parts.push(part);
        if (part.type === 'text_delta') void clock.fire(limits.idleTimeoutMs);
        if (part.type === 'retry') void clock.fire(part.delayMs);
      }
      expect(partsOf(parts, 'retry')).toMatchObject([{ error: { code: 'stream_stalled', data: { limit: 'idle' } } }]);
      expect(textOf(parts)).toBe('aHello');
      await server.closed(1);
    });

    test('comments and empty deltas reset the timeout', async () => {
      verifies('F69');
      const clock = new ManualClock();
      const reason = finish.filter((payload) => payload !== '[DONE]');
      const alive = Array<string>(20).fill(`: alive\n\n${eventsOf([family.emptyPayload])}`);
      await using server = await startByteServer([
        { chunks: [...alive, eventsOf([family.text('a')]), ...alive, eventsOf(reason), ...alive] },
      ]);
      const limits = { idleTimeoutMs: 7_000 };
      const parts = await collect(await createModel({ ...family.configFor(server.url), clock, limits }), QUESTION);
      expect(parts.at(-1)).toMatchObject({ type: 'finish' });
      expect(clock.begunCount(7_000)).toBeGreaterThanOrEqual(40);
      // What follows the reason gets one limit in all.
      expect(clock.begunCount(2_000)).toBe(1);
    });

    test('endless comments meet the limit of the whole answer', async () => {
      const clock = new ManualClock();
      await using server = await startByteServer([{ chunks: [': alive\n\n'], ending: 'hang' }]);
      const limits = { totalTimeoutMs: 9_000 };
      const reading = collect(await createModel({ ...family.configFor(server.url), clock, limits }), QUESTION);
      await clock.fire(9_000);
      expect(failureOf(await reading)).toMatchObject({ code: 'timeout', data: { limit: 'total' } });
      expect(server.requests.length).toBeLessThan(2);
      expect(clock.pendingCount).toBe(0);
    });

    test('a limit of 0 starts no timer', async () => {
      const clock = new ManualClock();
      await using server = await startByteServer([good]);
      const limits = { connectTimeoutMs: 0, firstByteTimeoutMs: 0, idleTimeoutMs: 0, totalTimeoutMs: 0 };
      const parts = await collect(await createModel({ ...family.configFor(server.url), clock, limits }), QUESTION);
      expect(textOf(parts)).toBe('Hello');
      expect(clock.begunCount(0)).toBe(0);
    });

    test.for<[string, string]>([
      ['half a JSON text', '{"a":'],
      ['a raw control character', '{"a":"\u0001"}'],
      ['JSON of another shape', '{"candidates":3,"choices":3}'],
    ])('%s in an event is retried', async ([, broken]) => {
      verifies('F72');
      const before = await ask([{ chunks: [eventsOf([broken])] }, good]);
      expect(before.retries).toMatchObject([{ error: { code: 'bad_model_response' } }]);
      expect(textOf(before.parts)).toBe('Hello');
      const after = await ask([{ chunks: [eventsOf([family.text('Hel'), broken])] }, good]);
      expect(after.retries).toMatchObject([{ discards: true, error: { code: 'bad_model_response' } }]);
      expect(textOf(after.parts)).toBe('HelHello');
    });

    test('empty objects keep an answer alive, and what follows its last event is no part of it', async () => {
      const hasEnd = family.name !== 'gemini';
      const payloads = ['{}', family.text('Hello'), '{}', ...finish, ...(hasEnd ? [family.text('more')] : [])];
      const { parts, retries } = await ask([{ chunks: [eventsOf(payloads)] }]);
      expect(retries).toEqual([]);
      expect(textOf(parts)).toBe('Hello');
    });

    test('an invalid response closes the connection', async () => {
      await using server = await startByteServer([
        { chunks: [eventsOf([family.text('Hel'), 'nonsense'])], ending: 'hang' },
      ]);
      const limits = { retryTimeMs: 0 };
      const model = await createModel({ ...family.configFor(server.url), clock: new ManualClock(), limits });
      expect(failureOf(await collect(model, QUESTION)).code).toBe('bad_model_response');
      await server.closed(1);
    });

    test('an error in a stream keeps its code', async () => {
      const before = await ask([{ chunks: [eventsOf([family.errorPayload('overloaded', 503)])] }, good]);
      expect(before.retries).toMatchObject([{ error: { code: 'provider_error' } }]);
      const after = await ask([
        { chunks: [eventsOf([family.text('Hel'), family.errorPayload('slow down', 429)])] },
        good,
      ]);
      expect(after.retries).toMatchObject([{ discards: true, error: { code: 'rate_limited', data: { status: 429 } } }]);
      expect(textOf(after.parts)).toBe('HelHello');
    });
  });
}
