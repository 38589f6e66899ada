import fc from 'fast-check';
import { expect, test } from 'vitest';
import { toShown } from './shown-text.js';
import { plainText, type Segment, type StyledLine } from './styled-line.js';
import { lineWidth } from './text-width.js';
import { chopLine, cutLine, wrapLine } from './wrap-line.js';

const words = (text: string, columns: number) => wrapLine([{ text }], columns).map(plainText);

/** Lines of narrow, wide, joined and combined characters, in several looks. */
const aLine: fc.Arbitrary<StyledLine> = fc.array(
  fc.record<Segment>({
    text: fc
      .string({ unit: fc.constantFrom('a', 'bc', ' ', '  ', '日', '👩‍👩‍👧', 'e\u0301', '👍🏽', 'ä', '-') })
      .map(toShown),
    token: fc.constantFrom('AccentRed', 'AccentBlue'),
  }),
);

const looksOf = (line: StyledLine) =>
  line.flatMap(({ text, token }) => [...text.replaceAll(' ', '')].map((character) => `${character}${token}`));

test('keeps words whole and drops spaces at breaks', () => {
  expect(words('the quick  brown fox', 9)).toEqual(['the quick', 'brown fox']);
  expect(words('abcdefghij kl', 4)).toEqual(['abcd', 'efgh', 'ij', 'kl']);
  expect(words('    indented words', 12)).toEqual(['    indented', 'words']);
  expect(words('fits', 4)).toEqual(['fits']);
});

test('breaks scripts without spaces between graphemes', () => {
  expect(words('日本語文字', 5)).toEqual(['日本', '語文', '字']);
  expect(words('a👩‍👩‍👧b', 2)).toEqual(['a', '👩‍👩‍👧', 'b']);
});

test('keeps every character and its style, and never exceeds the columns', () => {
  fc.assert(
    fc.property(aLine, fc.integer({ min: 2, max: 12 }), (line, columns) => {
      const wrapped = wrapLine(line, columns);
      expect(wrapped.flatMap(looksOf)).toEqual(looksOf(line));
      for (const part of wrapped) expect(lineWidth(part)).toBeLessThanOrEqual(columns);
    }),
  );
});

test('chopping keeps every character and fills the columns', () => {
  fc.assert(
    fc.property(aLine, fc.integer({ min: 2, max: 12 }), (line, columns) => {
      const chopped = chopLine(line, columns);
      expect(chopped.map(plainText).join('')).toBe(plainText(line));
      for (const part of chopped) expect(lineWidth(part)).toBeLessThanOrEqual(columns);
      for (const part of chopped.slice(0, -1)) expect(lineWidth(part)).toBeGreaterThanOrEqual(columns - 1);
    }),
  );
});

test('a truncated line ends with an ellipsis and fits', () => {
  expect(plainText(cutLine([{ text: 'abc' }, { text: 'defg', bold: true }], 5))).toBe('abcd…');
  fc.assert(
    fc.property(aLine, fc.integer({ min: 1, max: 12 }), (line, columns) => {
      expect(lineWidth(cutLine(line, columns))).toBeLessThanOrEqual(columns);
    }),
  );
});
