import { verifies } from '@qwen/testkit';
import * as fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { parseLastEventId, toEventId } from './last-event-id.js';
import { formatEvent, formatRetry } from './sse-frame.js';

describe('events', () => {
  test('contains id, event, data and a blank line', () => {
    expect(formatEvent({ id: '7', type: 'x', data: '{"a":1}' })).toBe('id: 7\nevent: x\ndata: {"a":1}\n\n');
    expect(formatEvent({ type: 'x', data: '' })).toBe('event: x\ndata: \n\n');
    expect(formatRetry(1234.6)).toBe('retry: 1235\n\n');
  });

  test('line breaks are refused where they would start another field', () => {
    verifies('T16');
    const fine = { id: '1', type: 'x', data: '1' };
    for (const text of ['a\nb', 'a\rb', '\r\n']) {
      for (const field of ['id', 'type', 'data']) {
        expect(() => formatEvent({ ...fine, [field]: text })).toThrow(expect.objectContaining({ code: 'internal' }));
      }
    }
    expect(() => formatEvent({ ...fine, id: 'a\0' })).toThrow('line break');
  });

  test('any JSON is one event of four lines', () => {
    verifies('F136');
    fc.assert(
      fc.property(fc.string({ unit: 'binary' }), (text) => {
        const frame = formatEvent({ id: '1', type: 'x', data: JSON.stringify({ text }) });
        expect(frame.split(/\r\n|\r|\n/)).toHaveLength(5);
        expect(JSON.parse(frame.split('\n')[2]?.slice(6) ?? '')).toEqual({ text });
      }),
    );
  });
});

describe('Last-Event-ID', () => {
  test.each([null, undefined, ''])('%j is missing', (value) => {
    expect(parseLastEventId(value)).toBeUndefined();
  });

  test.each(['0', '1', '9007199254740991'])('%s is a seq', (value) => {
    expect(parseLastEventId(value)).toBe(Number(value));
  });

  test.each([0, 1, 42, Number.MAX_SAFE_INTEGER])('%d has an ID that maps back to it', (seq) => {
    verifies('R-51');
    expect(parseLastEventId(toEventId(seq))).toBe(seq);
    expect(toEventId(seq) < toEventId(seq + 1)).toBe(true);
  });

  test('anything else is refused and not repeated', () => {
    verifies('F121');
    const values = [
      '-1',
      '01',
      '1.5',
      '1e3',
      ' 1',
      '١',
      'evt_1',
      'evt_9999999999999999',
      'evt_00000000000000x1',
      '9007199254740992',
      '0x1',
      'x'.repeat(1_000_000),
      '1\0',
      '1\r\nSet-Cookie: a=b',
    ];
    for (const value of values) {
      expect(() => parseLastEventId(value)).toThrow(
        expect.objectContaining({ code: 'invalid_cursor', message: expect.not.stringContaining(value) as string }),
      );
    }
  });
});
