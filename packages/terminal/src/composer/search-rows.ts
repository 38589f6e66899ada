import { toShown } from '../lines/shown-text.js';
import type { Segment, StyledLine } from '../lines/styled-line.js';
import { widthOf } from '../lines/text-width.js';
import { cutLine } from '../lines/wrap-line.js';
import { positionOf, type ReverseSearch } from './reverse-search.js';

export interface SearchRows {
  readonly lines: readonly StyledLine[];
  readonly cursor: { readonly row: number; readonly column: number };
}

export function searchRows(search: ReverseSearch, { columns, rows }: { columns: number; rows: number }): SearchRows {
  const { query, index, records } = search;
  const asked = `search history: ${toShown(query)}`;
  const found = index === undefined ? undefined : records[index];
  const ending = query !== '' && found === undefined ? '  nothing found' : '';
  const question: StyledLine = cutLine(
    [
      { text: asked, token: 'AccentCyan' },
      { text: ending, token: 'Gray' },
    ],
    columns,
  );
  const cursor = { row: 0, column: Math.min(widthOf(asked), columns - 1) };
  if (found === undefined || rows < 2) return { lines: [question], cursor };
  const at = positionOf(query, found.text);
  const before = found.text.slice(0, at).split('\n').length - 1;
  const shown = found.text.split('\n').slice(before, before + rows - 1);
  return { lines: [question, ...shown.map((line) => cutLine(highlighted(line, query), columns))], cursor };
}

function highlighted(line: string, query: string): Segment[] {
  const at = positionOf(query, line);
  if (at === -1) return [{ text: `  ${toShown(line)}` }];
  const end = at + query.length;
  return [
    { text: `  ${toShown(line.slice(0, at))}` },
    { text: toShown(line.slice(at, end)), token: 'AccentYellow', underline: true },
    { text: toShown(line.slice(end)) },
  ];
}
