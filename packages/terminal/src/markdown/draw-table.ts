import { toShown } from '../lines/shown-text.js';
import type { Segment, StyledLine } from '../lines/styled-line.js';
import { lineWidth } from '../lines/text-width.js';
import { wrapLine } from '../lines/wrap-line.js';
import type { Alignment, Block } from './block.js';
import { inlineLines } from './inline.js';

type Table = Extract<Block, { type: 'table' }>;

const BORDER: Segment = { text: ' │ ', token: 'Gray' };
const BORDER_COLUMNS = 3;
/** With narrower columns the table becomes a list of rows. */
const FEWEST_COLUMNS = 8;

export function drawTable(
  table: Table,
  options: { readonly columns: number; readonly asRecords: boolean },
): StyledLine[] {
  const rows = table.rows.map((row) => inColumns(row, table.alignments.length).map((cell) => cellLine(cell)));
  const head = table.head?.map((cell) => cellLine(cell, true));
  const widths = widthsOf(head === undefined ? rows : [head, ...rows], options.columns);
  if (options.asRecords || widths === undefined) return drawRecords(head, { rows, columns: options.columns });
  const draw = (row: readonly StyledLine[]) => drawRow(row, { widths, alignments: table.alignments });
  const line = widths.map((width) => '─'.repeat(width)).join('─┼─');
  return [
    ...(head === undefined ? [] : [...draw(head), [{ text: line, token: 'Gray' } as const]]),
    ...rows.flatMap(draw),
  ];
}

/** Extra cells go into the last column. */
function inColumns(row: readonly string[], columns: number): readonly string[] {
  const last = columns - 1;
  return Array.from(
    { length: columns },
    (_, column) => (column < last ? row[column] : row.slice(last).join(' | ')) ?? '',
  );
}

function cellLine(cell: string, isHead = false): StyledLine {
  return inlineLines(toShown(cell), isHead ? { bold: true } : {}).flatMap((line, index) =>
    index === 0 ? line : [{ text: ' ' }, ...line],
  );
}

/** Wide columns shrink first. Undefined when there is too little room. */
function widthsOf(rows: readonly (readonly StyledLine[])[], columns: number): readonly number[] | undefined {
  const wanted = (rows[0] ?? []).map((_, column) => Math.max(1, ...rows.map((row) => lineWidth(row[column] ?? []))));
  const room = columns - BORDER_COLUMNS * (wanted.length - 1);
  let left = room;
  let cap = Number.POSITIVE_INFINITY;
  const ascending = wanted.toSorted((one, other) => one - other);
  for (const [index, width] of ascending.entries()) {
    const share = Math.floor(left / (ascending.length - index));
    if (width > share) {
      cap = share;
      break;
    }
    left -= width;
  }
  return cap < FEWEST_COLUMNS ? undefined : wanted.map((width) => Math.min(width, cap));
}

function drawRow(
  row: readonly StyledLine[],
  { widths, alignments }: { readonly widths: readonly number[]; readonly alignments: readonly Alignment[] },
): StyledLine[] {
  const cells = row.map((cell, column) => wrapLine(cell, widths[column] ?? 0));
  const height = Math.max(...cells.map((lines) => lines.length));
  return Array.from({ length: height }, (_, index) =>
    cells.flatMap((lines, column) => {
      const part = lines[index] ?? [];
      const gap = Math.max(0, (widths[column] ?? 0) - lineWidth(part));
      const before = alignments[column] === 'right' ? gap : alignments[column] === 'center' ? Math.floor(gap / 2) : 0;
      const isLast = column === cells.length - 1;
      return [...spaces(before), ...part, ...(isLast ? [] : [...spaces(gap - before), BORDER])];
    }),
  );
}

function spaces(count: number): StyledLine {
  return count === 0 ? [] : [{ text: ' '.repeat(count) }];
}

function drawRecords(
  head: readonly StyledLine[] | undefined,
  { rows, columns }: { readonly rows: readonly (readonly StyledLine[])[]; readonly columns: number },
): StyledLine[] {
  if (rows.length === 0) return (head ?? []).flatMap((cell) => wrapLine(cell, columns));
  return rows.flatMap((row, index) => [
    ...(index === 0 ? [] : [[]]),
    ...row.flatMap((cell, column) => {
      const name = head?.[column] ?? [];
      return wrapLine(lineWidth(name) === 0 ? cell : [...name, { text: ': ' }, ...cell], columns);
    }),
  ]);
}
