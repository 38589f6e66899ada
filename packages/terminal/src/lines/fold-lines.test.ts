import { expect, test } from 'vitest';
import { foldEnd, foldMiddle } from './fold-lines.js';
import { plainText, type StyledLine } from './styled-line.js';

const lines = (count: number): StyledLine[] => Array.from({ length: count }, (_, index) => [{ text: `${index + 1}` }]);
const shown = (folded: readonly StyledLine[]) => folded.map(plainText);
const MARK = '(Ctrl-O shows all)';

test('leaves short output unchanged', () => {
  expect(shown(foldEnd(lines(3), { columns: 40, maxLines: 3 }))).toEqual(['1', '2', '3']);
  expect(shown(foldMiddle(lines(3), { columns: 40, maxLines: 3 }))).toEqual(['1', '2', '3']);
});

test('counts omitted lines, including those never rendered', () => {
  expect(shown(foldEnd(lines(5), { columns: 40, maxLines: 3 }))).toEqual(['1', '2', `… 3 more lines ${MARK}`]);
  expect(shown(foldEnd(lines(2), { columns: 40, maxLines: 3, alsoHidden: 1 }))).toEqual([
    '1',
    '2',
    `… 1 more line ${MARK}`,
  ]);
});

test('keeps more of the end than of the start', () => {
  expect(shown(foldMiddle(lines(20), { columns: 40, maxLines: 7 }))).toEqual([
    '1',
    '2',
    `… 14 more lines ${MARK}`,
    '17',
    '18',
    '19',
    '20',
  ]);
  expect(shown(foldMiddle(lines(9), { columns: 40, maxLines: 1 }))).toEqual([`… 9 more lines ${MARK}`]);
});
