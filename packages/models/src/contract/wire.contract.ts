import { createModel } from '@qwen/models';
import { startByteServer, verifies } from '@qwen/testkit';
import { describe, expect, test } from 'vitest';
import { collect, failureOf, QUESTION, textOf } from '../../test/collect.js';
import { eventsOf, type FamilyUnderTest } from '../../test/families.js';
import { ManualClock } from '../../test/manual-clock.js';

export function describeWire(family: FamilyUnderTest): void {
  describe('wire', () => {
    const finish = family.finish(family.reasons.stop);

    test('a response may be split into packets at any byte', async () => {
      verifies('F73');
      const crlf = eventsOf([family.text('é漢🙂'), ...finish]).replaceAll('\n', '\r\n');
      const bytes = Buffer.from(crlf);
      const offsets = Array.from({ length: bytes.length - 1 }, (_, index) => index + 1);
      await using server = await startByteServer(
        offsets.map((offset) => ({ chunks: [bytes.subarray(0, offset), bytes.subarray(offset)] })),
      );
      const model = await createModel(family.configFor(server.url));
      for (const offset of offsets) {
        const parts = await collect(model, QUESTION);
        expect(textOf(parts), `cut at ${offset}`).toBe('é漢🙂');
        expect(parts.at(-1)).toMatchObject({ type: 'finish', reason: 'stop' });
      }
    });

    test.for<[string, (payloads: readonly string[]) => string]>([
      ['a byte order mark', (payloads) => `\u{feff}${eventsOf(payloads)}`],
      ['line ends of CR alone', (payloads) => `${eventsOf(payloads).replaceAll('\n', '\r')}\r`],
      [
        'floods of comments',
        (payloads) => payloads.map((data) => `${': alive\n\n'.repeat(500)}data: ${data}\n\n`).join(''),
      ],
      [
        'events with a name and an id',
        (payloads) => payloads.map((data) => `id: 1\nevent: x\ndata: ${data}\n\n`).join(''),
      ],
      [
        'fields that nobody knows',
        (payloads) => payloads.map((data) => `what: ever\nnonsense\ndata:${data}\n\n`).join(''),
      ],
      ['data without a colon', (payloads) => payloads.map((data) => `data\n\ndata: ${data}\n\n`).join('')],
    ])('%s changes nothing', async ([, encode]) => {
      verifies('F71');
      await using server = await startByteServer([{ chunks: [encode([family.text('Hello'), ...finish])] }]);
      const parts = await collect(await createModel(family.configFor(server.url)), QUESTION);
      expect(textOf(parts)).toBe('Hello');
      expect(parts.at(-1)).toMatchObject({ type: 'finish', reason: 'stop' });
    });

    test('an oversized event is an error', async () => {
      verifies('F80');
      const megabyte = 'x'.repeat(1024 * 1024);
      await using server = await startByteServer([
        { chunks: [eventsOf([family.text('a')]), 'data: ', ...Array<string>(33).fill(megabyte)], ending: 'hang' },
      ]);
      const parts = await collect(await createModel(family.configFor(server.url)), QUESTION);
      expect(failureOf(parts).code).toBe('bad_model_response');
      await server.closed(1);
    });

    test.for(['application/json', 'text/plain', 'text/html; charset=utf-8', 'application/octet-stream'])(
      'a stream labelled %s is read as a stream',
      async (type) => {
        const chunks = [eventsOf([family.text('Hello'), ...finish])];
        await using server = await startByteServer([{ headers: { 'content-type': type }, chunks }]);
        expect(textOf(await collect(await createModel(family.configFor(server.url)), QUESTION))).toBe('Hello');
      },
    );

    test.for(['text/html; charset=utf-8', 'text/event-stream'])('an HTML page (%s) is an error', async (type) => {
      const clock = new ManualClock();
      const headers = { 'content-type': type };
      await using server = await startByteServer([
        { headers, chunks: ['<!doctype html><html><title>Sign in to the guest network</title></html>'] },
      ]);
      const model = await createModel({ ...family.configFor(server.url), clock });
      const error = failureOf(await collect(model, QUESTION, { clock }));
      expect(error.code).toBe('bad_model_response');
      expect(error.message).toContain('Sign in to the guest network');
      expect(server.requests).toHaveLength(1);
    });
  });
}
