import * as fc from 'fast-check';
import { expect, test } from 'vitest';
import { borders, nextBorder, previousBorder, toBorder } from './grapheme-borders.js';

const line = fc.string({
  unit: fc.constantFrom(
    'a',
    ' ',
    '你',
    'é',
    '\u0301',
    '\u200d',
    '👩',
    '🏽',
    '🇩',
    '🇪',
    '\u0600',
    'ก',
    'ำ',
    '\u{10fc00}',
  ),
  maxLength: 40,
});

test('iteration and lookup find the same grapheme boundaries', () => {
  fc.assert(
    fc.property(line, (text) => {
      const all = [0, ...borders(text, 0, text.length)];
      expect(all.at(-1)).toBe(text.length);
      for (const [index, border] of all.entries()) {
        expect(toBorder(text, border)).toBe(border);
        expect(nextBorder(text, border)).toBe(all[index + 1] ?? text.length);
        expect(previousBorder(text, border)).toBe(all[index - 1] ?? 0);
      }
    }),
  );
});

test('an atom is always a separate grapheme', () => {
  expect([...borders('\u0600\u{10fc00}\u0301', 0, 4)]).toEqual([1, 3, 4]);
});

test('inspects only the neighborhood in a long line', () => {
  const long = '你好世界'.repeat(50_000);
  expect([nextBorder(long, 150_000), previousBorder(long, 150_000)]).toEqual([150_001, 149_999]);
});
