import { verifies } from '@qwen/testkit';
import { expect, test } from 'vitest';
import { upTo } from '../../test/log-readers.js';
import { eventBytes, type LoggedEvent } from './logged-event.js';
import { SessionTail } from './session-tail.js';

const event = (seq: number): LoggedEvent => ({ seq, type: 'x', data: '1', atMs: 0 });
const EVENT_BYTES = eventBytes(event(1));
const events = (last: number, first = 1) => upTo(last, first).map(event);
const seqsAfter = (tail: SessionTail, seq: number, maxBytes = Infinity) =>
  tail.after(seq, maxBytes)?.events.map((each) => each.seq);

test('returns what follows a seq, in chunks of limited bytes with at least one event', () => {
  const tail = new SessionTail(10_000);
  tail.stored(events(10));
  expect(seqsAfter(tail, 0)).toEqual(upTo(10));
  expect(seqsAfter(tail, 7)).toEqual([8, 9, 10]);
  expect(seqsAfter(tail, 2, 2 * EVENT_BYTES)).toEqual([3, 4]);
  expect(seqsAfter(tail, 2, 1)).toEqual([3]);
  expect(tail.after(2, 1)?.endBytes).toBe(3 * EVENT_BYTES);
  expect(seqsAfter(tail, 10)).toBeUndefined();
});

test('an event that it has is not added again', () => {
  const tail = new SessionTail(10_000);
  let moves = 0;
  tail.follow(() => {
    moves += 1;
  });
  tail.stored(events(3));
  tail.stored(events(3));
  tail.stored(events(5, 2));
  tail.stored([]);
  expect([seqsAfter(tail, 0), tail.headSeq, tail.publishedBytes, moves]).toEqual([upTo(5), 5, 5 * EVENT_BYTES, 2]);
});

test('it restarts after a gap, so that no reader sees a gap', () => {
  verifies('T15');
  const tail = new SessionTail(10_000);
  tail.stored(events(3));
  tail.stored(events(8, 6));
  expect([seqsAfter(tail, 3), seqsAfter(tail, 4), seqsAfter(tail, 5), tail.headSeq]).toEqual([
    undefined,
    undefined,
    [6, 7, 8],
    8,
  ]);
  tail.reached(10);
  expect([seqsAfter(tail, 8), tail.headSeq]).toEqual([undefined, 10]);
  tail.reached(9);
  tail.stored(events(11, 11));
  expect([seqsAfter(tail, 9), seqsAfter(tail, 10), tail.headSeq]).toEqual([undefined, [11], 11]);
});

test('keeps only its newest bytes, regardless of throughput', () => {
  verifies('T20');
  const tail = new SessionTail(10 * EVENT_BYTES);
  for (const seq of upTo(1000)) {
    tail.stored([event(seq)]);
    expect(seqsAfter(tail, seq - 1)).toEqual([seq]);
    if (seq > 20) expect([seqsAfter(tail, seq - 10)?.length, seqsAfter(tail, seq - 12)]).toEqual([10, undefined]);
  }
});

test('a finished session stays finished; only a deletion overrides it', () => {
  const tail = new SessionTail(100);
  tail.ended('finished');
  tail.ended('closing');
  expect(tail.end).toBe('finished');
  tail.ended('deleted');
  tail.ended('finished');
  expect(tail.end).toBe('deleted');
});
