import { formatPatch, structuredPatch } from 'diff';
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { plainText, type StyledLine } from '../lines/styled-line.js';
import { lineWidth } from '../lines/text-width.js';
import { diffLines } from './diff-lines.js';

const DIFF = [
  '--- a/f.ts',
  '+++ b/f.ts',
  '@@ -9,4 +9,4 @@ function f() {',
  ' same',
  '-const one = call(1);',
  '--- gone',
  '+const two = call(1);',
  '+++ new',
  ' end',
  '@@ -40 +40,2 @@',
  ' x',
  '+y',
  '\\ No newline at end of file',
  '',
].join('\n');

const words = (lines: readonly StyledLine[]) => lines.map(plainText);

const emphasised = (lines: readonly StyledLine[]) =>
  lines.flatMap((line) => line.filter(({ underline }) => underline === true).map(({ text }) => text));

test('numbers and marks lines, including those that look like file headers', () => {
  expect(words(diffLines(DIFF, { columns: 60 }))).toEqual([
    ' 9   same',
    '10 - const one = call(1);',
    '11 - -- gone',
    '10 + const two = call(1);',
    '11 + ++ new',
    '12   end',
    ' ⋮',
    '40   x',
    '41 + y',
    'No newline at end of file',
  ]);
});

test('highlights changed words in similar lines', () => {
  expect(emphasised(diffLines(DIFF, { columns: 60 }))).toEqual(['one', 'two']);
});

test('colors signs and dims line numbers', () => {
  const [, removed = []] = diffLines(DIFF, { columns: 60 });
  expect(removed.slice(0, 2)).toEqual([
    { text: '10 ', token: 'Gray' },
    { text: '- ', token: 'DiffRemoved' },
  ]);
});

test('wraps long lines with indentation and keeps spaces', () => {
  expect(words(diffLines('@@ -1 +1 @@\n-a\n+    long  words of a line', { columns: 20 }))).toEqual([
    '1 - a',
    '1 +     long  words ',
    '    of a line',
  ]);
});

test('counts lines beyond the limit', () => {
  expect(words(diffLines(DIFF, { columns: 60, maxLines: 3 }))).toEqual([
    ' 9   same',
    '10 - const one = call(1);',
    '… 8 more lines (Ctrl-O shows all)',
  ]);
});

test('describes changes in words for screen readers', () => {
  expect(words(diffLines(DIFF, { columns: 60, isScreenReader: true })).slice(0, 2)).toEqual([
    '9: same',
    '10 removed: const one = call(1);',
  ]);
});

test('shows text that is not a diff unchanged', () => {
  expect(words(diffLines('Binary files differ', { columns: 60 }))).toEqual(['Binary files differ']);
});

test('shows every changed line within the width', () => {
  const aText = fc.array(fc.constantFrom('a b', 'a c', '日本 x', '-- y', '++ z', '@@', ''), { maxLength: 12 });
  fc.assert(
    fc.property(aText, aText, fc.integer({ min: 6, max: 30 }), (before, after, columns) => {
      const patch = structuredPatch('f', 'f', `${before.join('\n')}\n`, `${after.join('\n')}\n`, '', '', {
        context: 2,
      });
      const lines = diffLines(formatPatch(patch), { columns });
      for (const line of lines) expect(lineWidth(line)).toBeLessThanOrEqual(columns);
      const changed = patch.hunks.flatMap(({ lines: all }) => all.filter((line) => /^[+-]/.test(line)));
      const told = words(lines)
        .join('')
        .replaceAll(/[\s\d⋮]/g, '');
      for (const line of changed) expect(told).toContain(line.replaceAll(/\s/g, ''));
    }),
  );
});
