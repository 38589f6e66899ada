import fc from 'fast-check';
import { expect, test } from 'vitest';
import { cutLine, cutText } from './truncate.js';

const keeps = fc.constantFrom('head', 'tail', 'both' as const);

test('a text that fits is left alone', () => {
  expect(cutText('äöü', { maxBytes: 6, keep: 'head' })).toEqual({ text: 'äöü', isCut: false });
});

test('a mark shows what is missing and where', () => {
  expect(cutText('0123456789', { maxBytes: 4, keep: 'head' }).text).toBe('0123\n[… 6 bytes omitted …]');
  expect(cutText('0123456789', { maxBytes: 4, keep: 'tail' }).text).toBe('[… 6 bytes omitted …]\n6789');
  expect(cutText('0123456789', { maxBytes: 4, keep: 'both' }).text).toBe('01\n[… 6 bytes omitted …]\n89');
});

test('no character is ever split, whatever the limit is', () => {
  fc.assert(
    fc.property(fc.string({ unit: 'grapheme' }), fc.nat({ max: 40 }), keeps, (text, maxBytes, keep) => {
      const cut = cutText(text, { maxBytes, keep });
      expect(cut.text).not.toContain('\ufffd');
      const kept = cut.text.replace(/\n?\[… \d+ bytes omitted …\]\n?/, '');
      if (cut.isCut) expect(Buffer.byteLength(kept)).toBeLessThanOrEqual(maxBytes);
      else expect(cut.text).toBe(text);
    }),
  );
});

test('a line is cut between surrogate pairs', () => {
  expect(cutLine('a😀b', 2)).toBe('a…');
  expect(cutLine('a😀b', 3)).toBe('a😀…');
  expect(cutLine('a😀b', 4)).toBe('a😀b');
});
