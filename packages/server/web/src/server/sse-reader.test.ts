import { verifies } from '@qwen/testkit';
import * as fc from 'fast-check';
import { expect, test } from 'vitest';
import { type SseFrame, SseReader } from './sse-reader.js';

const STREAM =
  'retry: 1000\n\n: heartbeat\n\nid: 1\nevent: a\ndata: {"t":"x\u2028event: y"}\n\nevent: b\r\ndata: {"t":"\u{1f642}"}\r\n\r\ndata:1\ndata: 2\n\nid: 9\n\n';
const FRAMES: readonly SseFrame[] = [
  { type: 'a', data: '{"t":"x\u2028event: y"}' },
  { type: 'b', data: '{"t":"\u{1f642}"}' },
  { type: 'message', data: '1\n2' },
];

test('events are the same for any chunking', () => {
  verifies('F136');
  const bytes = new TextEncoder().encode(STREAM);
  fc.assert(
    fc.property(fc.array(fc.integer({ min: 0, max: bytes.length })), (cuts) => {
      const reader = new SseReader();
      const places = [0, ...cuts.toSorted((one, other) => one - other), bytes.length];
      const frames = places.flatMap((place, index) => reader.push(bytes.subarray(place, places[index + 1])));
      expect(frames).toEqual(FRAMES);
    }),
  );
});

test('an event that does not end is not buffered forever', () => {
  const reader = new SseReader();
  const chunk = new TextEncoder().encode(`data: ${'x'.repeat(1024 * 1024)}\n`);
  expect(() => {
    for (let index = 0; index < 65; index += 1) reader.push(chunk);
  }).toThrow(RangeError);
});
