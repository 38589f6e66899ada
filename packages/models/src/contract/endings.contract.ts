import { setImmediate } from 'node:timers/promises';
import { createModel, type ModelPart } from '@qwen/models';
import { startByteServer, verifies } from '@qwen/testkit';
import { describe, expect, test } from 'vitest';
import { QUESTION } from '../../test/collect.js';
import { eventsOf, type FamilyUnderTest } from '../../test/families.js';
import { ManualClock } from '../../test/manual-clock.js';

export function describeEndings(family: FamilyUnderTest): void {
  describe('endings', () => {
    const talking = { chunks: [eventsOf([family.text('a'), family.text('b')])], ending: 'hang' } as const;
    const begin = async (url: string, signal = new AbortController().signal) => {
      const clock = new ManualClock();
      const model = await createModel({ ...family.configFor(url), clock });
      return { clock, parts: model.stream(QUESTION, { signal })[Symbol.asyncIterator]() };
    };
    const aborted = { value: { type: 'failure', error: { code: 'aborted' } }, done: false };

    test('the request waits for the first part, and an early abort prevents it', async () => {
      const controller = new AbortController();
      await using server = await startByteServer([talking]);
      const { parts, clock } = await begin(server.url, controller.signal);
      controller.abort();
      expect(await parts.next()).toMatchObject(aborted);
      expect(await parts.next()).toEqual({ value: undefined, done: true });
      expect(server.requests).toHaveLength(0);
      expect(clock.pendingCount).toBe(0);
    });

    test('an abort ends the response with `aborted` and closes the connection', async () => {
      verifies('F69');
      const controller = new AbortController();
      await using server = await startByteServer([talking]);
      const { parts, clock } = await begin(server.url, controller.signal);
      const seen: ModelPart[] = [];
      for (let next = await parts.next(); !next.done; next = await parts.next()) {
        seen.push(next.value);
        // The abort meets a pending read.
        if (seen.length === 3) void setImmediate().then(() => controller.abort());
      }
      expect(seen.map((part) => part.type)).toEqual(['start', 'text_delta', 'text_delta', 'failure']);
      expect(seen.at(-1)).toMatchObject({ error: { code: 'aborted' } });
      await server.closed(1);
      expect(clock.pendingCount).toBe(0);
    });

    test('no buffered parts are emitted after an abort', async () => {
      const controller = new AbortController();
      await using server = await startByteServer([talking]);
      const { parts } = await begin(server.url, controller.signal);
      await parts.next();
      expect(await parts.next()).toMatchObject({ value: { type: 'text_delta', text: 'a' } });
      controller.abort();
      expect(await parts.next()).toMatchObject(aborted);
    });

    test.skipIf(family.name === 'gemini')('the last event ends an answer whose connection stays open', async () => {
      const answer = eventsOf([family.text('a'), ...family.finish(family.reasons.stop)]);
      await using server = await startByteServer([{ chunks: [answer], ending: 'hang' }]);
      const { parts } = await begin(server.url);
      const types: string[] = [];
      for (let next = await parts.next(); !next.done; next = await parts.next()) types.push(next.value.type);
      expect(types).toEqual(['start', 'text_delta', 'finish']);
    });

    test.skipIf(family.name === 'openai-responses')('an abort before the end marker is an abort', async () => {
      const controller = new AbortController();
      const payloads = family.finish(family.reasons.stop).filter((payload) => !family.endMarker.includes(payload));
      await using server = await startByteServer([
        { chunks: [eventsOf([family.text('a'), ...payloads])], ending: 'hang' },
      ]);
      const { parts } = await begin(server.url, controller.signal);
      await parts.next();
      await parts.next();
      const next = parts.next();
      void setImmediate().then(() => controller.abort());
      expect(await next).toMatchObject(aborted);
    });

    test('an abort ends a retry delay', async () => {
      const controller = new AbortController();
      await using server = await startByteServer([{ status: 503 }]);
      const { parts, clock } = await begin(server.url, controller.signal);
      expect(await parts.next()).toMatchObject({ value: { type: 'retry' } });
      const next = parts.next();
      controller.abort();
      expect(await next).toMatchObject(aborted);
      expect(server.requests).toHaveLength(1);
      expect(clock.pendingCount).toBe(0);
    });

    test('leaving the loop closes the connection', async () => {
      await using server = await startByteServer([talking]);
      const model = await createModel(family.configFor(server.url));
      for await (const part of model.stream(QUESTION, { signal: new AbortController().signal })) {
        if (part.type === 'text_delta') break;
      }
      await expect(server.closed(1)).resolves.toBeUndefined();
    });

    test('leaving does not wait for a pending part', async () => {
      await using server = await startByteServer([talking]);
      const { parts, clock } = await begin(server.url);
      for (let count = 0; count < 3; count += 1) await parts.next();
      const pending = parts.next();
      expect(await parts.return?.()).toEqual({ value: undefined, done: true });
      expect(await pending).toMatchObject(aborted);
      await server.closed(1);
      expect(clock.pendingCount).toBe(0);
    });

    test('a slow consumer is not a stalled provider', async () => {
      verifies('F69');
      await using server = await startByteServer([
        { chunks: [eventsOf([family.text('a'), ...family.finish(family.reasons.stop)])] },
      ]);
      const { parts, clock } = await begin(server.url);
      expect(await parts.next()).toMatchObject({ value: { type: 'start' } });
      // Only the limit of the whole answer.
      expect(clock.pendingCount).toBe(1);
      expect(await parts.next()).toMatchObject({ value: { type: 'text_delta' } });
      expect(clock.pendingCount).toBe(1);
      expect(await parts.next()).toMatchObject({ value: { type: 'finish' } });
    });

    test('connections are reused', async () => {
      const turnCount = 8;
      await using server = await startByteServer([
        { chunks: [eventsOf([family.text('a'), ...family.finish(family.reasons.stop)])] },
      ]);
      for (let turn = 0; turn < turnCount; turn += 1) {
        const { parts } = await begin(server.url);
        for (let next = await parts.next(); !next.done; next = await parts.next());
        // The client library releases the connection asynchronously.
        await setImmediate();
      }
      expect(server.requests).toHaveLength(turnCount);
      expect(server.connectionCount).toBeLessThan(turnCount);
    });
  });
}
