import { verifies } from '@qwen/testkit';
import * as fc from 'fast-check';
import { expect, test } from 'vitest';
import { type DecodedLine, encodeLine, LineDecoder } from './ndjson.js';

const MAX_LINE_BYTES = 12;

/** Bytes that make trouble are as likely as all others together. */
const bytesOfTrouble = fc.array(
  fc.oneof(fc.constantFrom(0x0a, 0x0d, 0x20, 0xef, 0xbb, 0xbf, 0xe2, 0x80, 0xa8, 0xff, 0x00), fc.nat(255)),
  { maxLength: 80 },
);

function decode(chunks: readonly Uint8Array[]): DecodedLine[] {
  const decoder = new LineDecoder({ maxLineBytes: MAX_LINE_BYTES });
  return [...chunks.flatMap((chunk) => decoder.push(chunk)), ...decoder.end()];
}

function split(bytes: Uint8Array, cuts: readonly number[]): Uint8Array[] {
  const places = [0, ...cuts.map((cut) => cut % (bytes.length + 1)).toSorted((a, b) => a - b), bytes.length];
  return places.slice(1).map((end, index) => bytes.subarray(places[index], end));
}

const facts = (lines: readonly DecodedLine[]) =>
  lines.map((line) => [line.lineNumber, line.ok ? line.text : line.error.code]);

test('any split of any bytes gives the same lines', () => {
  verifies('F1', 'F2', 'F3', 'F4');
  fc.assert(
    fc.property(bytesOfTrouble, fc.array(fc.nat(1000), { maxLength: 20 }), (raw, cuts) => {
      const bytes = Uint8Array.from(raw);
      expect(facts(decode(split(bytes, cuts)))).toEqual(facts(decode([bytes])));
    }),
  );
});

test('the lines are the text between LFs, one by one', () => {
  fc.assert(
    fc.property(bytesOfTrouble, (raw) => {
      const ends = raw.flatMap((byte, index) => (byte === 0x0a ? [index] : []));
      const pieces = [...ends, raw.length].map((end, index) => raw.slice((ends[index - 1] ?? -1) + 1, end));
      const expected = pieces.flatMap((piece, index) => {
        if (piece.length > MAX_LINE_BYTES) return [[index + 1, 'line_too_long']];
        const decoded = new TextDecoder('utf-8', { ignoreBOM: true }).decode(Uint8Array.from(piece));
        const text = (index === 0 ? decoded.replace(/^\uFEFF/, '') : decoded).replace(/\r$/, '');
        return /^[ \t\r]*$/.test(text) ? [] : [[index + 1, text]];
      });
      expect(facts(decode([Uint8Array.from(raw)]))).toEqual(expected);
    }),
  );
});

test('a line over the limit never affects the next one', () => {
  verifies('F15');
  fc.assert(
    fc.property(fc.integer({ min: MAX_LINE_BYTES + 1, max: 60 }), fc.array(fc.nat(1000)), (length, cuts) => {
      const bytes = new TextEncoder().encode(`${'x'.repeat(length)}\nnext\n`);
      expect(facts(decode(split(bytes, cuts)))).toEqual([
        [1, 'line_too_long'],
        [2, 'next'],
      ]);
    }),
  );
});

test('any JSON value survives a round trip', () => {
  fc.assert(
    fc.property(fc.json(), (json) => {
      const value: unknown = JSON.parse(json);
      const decoder = new LineDecoder();
      const [line] = decoder.push(new TextEncoder().encode(encodeLine({ value })));
      expect(line?.ok === true && JSON.parse(line.text)).toEqual({ value });
    }),
  );
});
