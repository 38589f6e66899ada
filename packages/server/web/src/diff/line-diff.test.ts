import * as fc from 'fast-check';
import { expect, test } from 'vitest';
import { type DiffLine, diffLines } from './line-diff.js';

const side = (lines: readonly DiffLine[], kind: 'added' | 'removed') =>
  lines.filter((line) => line.kind === kind || line.kind === 'same').map(({ text }) => text);

test('each side of a comparison contains the text of that side', () => {
  const text = fc
    .array(fc.constantFrom('a', 'b', 'c', ''), { minLength: 1, maxLength: 5 })
    .map((lines) => `${lines.join('\n')}\n`);
  fc.assert(
    fc.property(text, text, (before, after) => {
      const lines = diffLines(before, after);
      expect(lines.length === 0).toBe(before === after);
      // What is left out at both ends is the same in both texts.
      expect(before).toContain(side(lines, 'removed').join('\n'));
      expect(after).toContain(side(lines, 'added').join('\n'));
    }),
  );
});

test('distant changes have a gap between them, and lines have numbers', () => {
  const before = Array.from({ length: 30 }, (_, index) => `line ${index + 1}`);
  const after = before.with(1, 'second').with(27, 'late');
  const lines = diffLines(`${before.join('\n')}\n`, `${after.join('\n')}\n`);
  expect(lines.filter(({ kind }) => kind === 'gap')).toHaveLength(1);
  expect(lines.filter(({ kind }) => kind === 'added')).toEqual([
    { kind: 'added', text: 'second', after: 2 },
    { kind: 'added', text: 'late', after: 28 },
  ]);
});

test('unrelated texts are shown completely, in short time', () => {
  const text = (word: string) => Array.from({ length: 20_000 }, (_, index) => `${word} ${index}`).join('\n');
  const lines = diffLines(text('a'), text('b'));
  expect(lines).toHaveLength(40_000);
  expect(lines[0]).toEqual({ kind: 'removed', text: 'a 0', before: 1 });
});
