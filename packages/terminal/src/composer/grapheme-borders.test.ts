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

test('going through a line and asking at a place find the same characters', () => {
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

test('an atom is a character of its own, whatever stands around it', () => {
  expect([...borders('\u0600\u{10fc00}\u0301', 0, 4)]).toEqual([1, 3, 4]);
});

test('in a long line only the surroundings are looked at', () => {
  const long = '你好世界'.repeat(50_000);
  expect([nextBorder(long, 150_000), previousBorder(long, 150_000)]).toEqual([150_001, 149_999]);
});
