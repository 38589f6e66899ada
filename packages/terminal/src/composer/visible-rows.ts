import { rowPositionOf } from './row-motions.js';
import { lineAt, type TextBuffer } from './text-buffer.js';
import { type Layout, type Row, wrapText } from './wrap-text.js';

export interface Top {
  readonly line: number;
  readonly row: number;
}

export interface VisibleRow {
  readonly line: number;
  /** UTF-16 units of the line. */
  readonly start: number;
  readonly end: number;
}

export interface VisibleRows {
  readonly rows: readonly VisibleRow[];
  readonly top: Top;
  readonly cursor: { readonly row: number; readonly column: number };
  readonly hasMoreAbove: boolean;
  readonly hasMoreBelow: boolean;
}

export interface Window {
  readonly layout: Layout;
  readonly height: number;
  /** The previous top; scrolls only as far as the cursor requires. */
  readonly top: Top;
}

function wrapperOf({ lines }: TextBuffer, layout: Layout): (line: number) => readonly Row[] {
  const known = new Map<number, readonly Row[]>();
  return (line) => {
    const rows = known.get(line) ?? wrapText(lineAt({ lines }, line), layout);
    known.set(line, rows);
    return rows;
  };
}

/** Reads only visible lines, so the cost does not depend on the text length. */
export function visibleRows(buffer: TextBuffer, { layout, height, top }: Window): VisibleRows {
  const place = rowPositionOf(buffer, layout);
  const wrap = wrapperOf(buffer, layout);
  const first = windowTop({ wrap, height, lineCount: buffer.lines.length }, top, place);
  const rows: VisibleRow[] = [];
  let cursorRow = 0;
  let line = first.line;
  for (let row = first.row; line < buffer.lines.length && rows.length < height; line += 1, row = 0) {
    const wrapped = wrap(line);
    for (; row < wrapped.length && rows.length < height; row += 1) {
      const run = wrapped[row] ?? { start: 0, end: 0 };
      if (line === place.line && row === place.row) cursorRow = rows.length;
      rows.push({ line, ...run });
    }
    if (row < wrapped.length) return { ...found(), hasMoreBelow: true };
  }
  return { ...found(), hasMoreBelow: line < buffer.lines.length };

  function found(): Omit<VisibleRows, 'hasMoreBelow'> {
    return {
      rows,
      top: first,
      cursor: { row: cursorRow, column: place.column },
      hasMoreAbove: first.line > 0 || first.row > 0,
    };
  }
}

interface Viewport {
  readonly wrap: (line: number) => readonly Row[];
  readonly height: number;
  readonly lineCount: number;
}

/** Keeps the old top if the cursor is visible, else scrolls as little as possible; fills the window. */
function windowTop(viewport: Viewport, top: Top, cursor: Top): Top {
  const lowest = rowsBefore(viewport, cursor, viewport.height - 1);
  const highest = isBefore(cursor, top) ? cursor : top;
  const wanted = isBefore(highest, lowest) ? lowest : highest;
  const end = lastRow(viewport);
  const fullest = rowsBefore(viewport, end, viewport.height - 1);
  return isBefore(fullest, wanted) ? fullest : wanted;
}

function rowsBefore({ wrap }: Viewport, from: Top, count: number): Top {
  let { line, row } = from;
  for (let left = count; left > 0; ) {
    if (row >= left) return { line, row: row - left };
    if (line === 0) return { line: 0, row: 0 };
    left -= row + 1;
    line -= 1;
    row = wrap(line).length - 1;
  }
  return { line, row };
}

function lastRow({ wrap, lineCount }: Viewport): Top {
  const line = lineCount - 1;
  return { line, row: wrap(line).length - 1 };
}

function isBefore(one: Top, other: Top): boolean {
  return one.line < other.line || (one.line === other.line && one.row < other.row);
}
