import { once } from 'node:events';
import { createServer } from 'node:http';
import { createModel, DEFAULT_MODEL_LIMITS, type ModelPart } from '@qwen/models';
import { type ByteReply, startByteServer, verifies } from '@qwen/testkit';
import { describe, expect, test } from 'vitest';
import { collect, failureOf, partsOf, QUESTION, textOf } from '../../test/collect.js';
import { eventsOf, type FamilyUnderTest } from '../../test/family-under-test.js';
import { ManualClock } from '../../test/manual-clock.js';

export function describeStreamFaults(family: FamilyUnderTest): void {
  describe('faults of the stream', () => {
    const finish = family.finish(family.reasons.stop);
    const good: ByteReply = { chunks: [eventsOf([family.text('Hello'), ...finish])] };
    const ask = async (replies: readonly ByteReply[]) => {
      const clock = new ManualClock();
      await using server = await startByteServer(replies);
      const parts = await collect(await createModel({ ...family.configFor(server.url), clock }), QUESTION, clock);
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
      const parts = await collect(await createModel({ ...family.configFor(gone.url), clock }), QUESTION, clock);
      expect(failureOf(parts)).toMatchObject({ code: 'network_unavailable', data: { systemCode: 'ECONNREFUSED' } });
      const waits = partsOf(parts, 'retry').map((retry) => retry.delayMs);
      expect(waits).toHaveLength(DEFAULT_MODEL_LIMITS.maxAttempts - 1);
      expect(waits.reduce((sum, wait) => sum + wait, 0)).toBeLessThan(30_000);
    });

    test('a provider that does not respond is a timeout and retried', async () => {
      verifies('F66');
      const clock = new ManualClock();
      const silent = createServer(() => undefined).listen(0, '127.0.0.1');
      await once(silent, 'listening');
      const address = silent.address();
      const port = typeof address === 'object' ? address?.port : undefined;
      const limits = { maxAttempts: 2 };
      const model = await createModel({ ...family.configFor(`http://127.0.0.1:${port}`), clock, limits });
      const parts: ModelPart[] = [];
      void clock.fire(DEFAULT_MODEL_LIMITS.responseTimeoutMs);
      for await (const part of model.stream(QUESTION, { signal: new AbortController().signal })) {
        parts.push(part);
        if (part.type !== 'retry') continue;
        void clock.fire(part.delayMs);
        void clock.fire(DEFAULT_MODEL_LIMITS.responseTimeoutMs);
      }
      silent.closeAllConnections();
      silent.close();
      expect(partsOf(parts, 'retry')).toMatchObject([{ error: { code: 'timeout' } }]);
      expect(failureOf(parts).code).toBe('timeout');
      expect(clock.pendingCount).toBe(0);
    });

    test.for(['cut', 'reset', 'end'] as const)(
      'an answer that breaks (%s) before its first content is asked again',
      async (ending) => {
        verifies('F67', 'F74');
        const { parts, retries } = await ask([{ chunks: [eventsOf([family.emptyPayload])], ending }, good]);
        expect(retries).toMatchObject([{ error: { code: 'stream_interrupted' } }]);
        expect(parts.map((part) => part.type)).toEqual(['retry', 'start', 'text_delta', 'finish']);
      },
    );

    test.for(['cut', 'reset', 'end'] as const)(
      'an answer that breaks (%s) after content keeps it and is not asked again',
      async (ending) => {
        verifies('F68', 'F74');
        const { parts, requestCount } = await ask([
          { chunks: [eventsOf([family.text('Hel'), family.text('lo')])], ending },
          good,
        ]);
        expect(textOf(parts)).toBe('Hello');
        expect(failureOf(parts).code).toBe('stream_interrupted');
        expect(requestCount).toBe(1);
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

    test('a silent stream is stalled', async () => {
      verifies('F69');
      const clock = new ManualClock();
      await using server = await startByteServer([{ chunks: [eventsOf([family.text('a')])], ending: 'hang' }]);
      const model = await createModel({ ...family.configFor(server.url), clock });
      const parts: ModelPart[] = [];
      for await (const part of model.stream(QUESTION, { signal: new AbortController().signal })) {
        parts.push(part);
        if (part.type === 'text_delta') void clock.fire(DEFAULT_MODEL_LIMITS.idleTimeoutMs);
      }
      expect(textOf(parts)).toBe('a');
      expect(failureOf(parts).code).toBe('stream_stalled');
      await server.closed(1);
      expect(clock.pendingCount).toBe(0);
    });

    test('comments and empty deltas do not reset the timeout', async () => {
      verifies('F69');
      const clock = new ManualClock();
      const reason = finish.filter((payload) => payload !== '[DONE]');
      const alive = Array<string>(20).fill(`: alive\n\n${eventsOf([family.emptyPayload])}`);
      await using server = await startByteServer([
        { chunks: [...alive, eventsOf([family.text('a')]), ...alive, eventsOf(reason), ...alive] },
      ]);
      const parts = await collect(await createModel({ ...family.configFor(server.url), clock }), QUESTION);
      expect(parts.at(-1)).toMatchObject({ type: 'finish' });
      // One timer each: head to text, text to reason, reason to end.
      expect(clock.begunCount(DEFAULT_MODEL_LIMITS.idleTimeoutMs)).toBe(2);
      expect(clock.begunCount(2_000)).toBe(1);
    });

    test.for<[string, string]>([
      ['half a JSON text', '{"a":'],
      ['a raw control character', '{"a":"\u0001"}'],
      ['JSON of another shape', '{"candidates":3,"choices":3}'],
    ])('%s in an event is retried before content, and an error after it', async ([, broken]) => {
      verifies('F72');
      const before = await ask([{ chunks: [eventsOf([broken])] }, good]);
      expect(before.retries).toMatchObject([{ error: { code: 'bad_model_response' } }]);
      expect(textOf(before.parts)).toBe('Hello');
      const after = await ask([{ chunks: [eventsOf([family.text('Hel'), broken])] }, good]);
      expect(textOf(after.parts)).toBe('Hel');
      expect(failureOf(after.parts).code).toBe('bad_model_response');
      expect(after.requestCount).toBe(1);
    });

    test('an invalid response closes the connection', async () => {
      await using server = await startByteServer([
        { chunks: [eventsOf([family.text('Hel'), 'nonsense'])], ending: 'hang' },
      ]);
      const model = await createModel({ ...family.configFor(server.url), clock: new ManualClock() });
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
      expect(failureOf(after.parts)).toMatchObject({ code: 'rate_limited', data: { status: 429 } });
      expect(after.requestCount).toBe(1);
    });
  });
}
