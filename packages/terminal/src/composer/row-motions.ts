import { widthOf } from '../lines/text-width.js';
import { nextBorder, previousBorder } from './grapheme-borders.js';
import { lineAt, type Position, type TextBuffer } from './text-buffer.js';
import { type Layout, type Row, shownAs, shownRun, wrapText } from './wrap-text.js';

export interface RowPosition {
  readonly line: number;
  readonly row: number;
  readonly column: number;
}

/** Between two rows the cursor is at the start of the second. */
export function rowPositionOf(buffer: TextBuffer, layout: Layout): RowPosition {
  const { line, offset } = buffer.cursor;
  const text = lineAt(buffer, line);
  const rows = wrapText(text, layout);
  const row = rowAt(rows, offset);
  const { start } = rows[row] ?? { start: 0 };
  return { line, row, column: shownRun(text, { start, end: offset }, layout).width };
}

export function moveUp(buffer: TextBuffer, layout: Layout): TextBuffer | undefined {
  const { line, row } = rowPositionOf(buffer, layout);
  if (row > 0) return moveTo(buffer, layout, { line, row: row - 1 });
  if (line === 0) return undefined;
  const above = wrapText(lineAt(buffer, line - 1), layout);
  return moveTo(buffer, layout, { line: line - 1, row: above.length - 1 });
}

export function moveDown(buffer: TextBuffer, layout: Layout): TextBuffer | undefined {
  const { line, row } = rowPositionOf(buffer, layout);
  if (row + 1 < wrapText(lineAt(buffer, line), layout).length) return moveTo(buffer, layout, { line, row: row + 1 });
  return line + 1 < buffer.lines.length ? moveTo(buffer, layout, { line: line + 1, row: 0 }) : undefined;
}

function moveTo(buffer: TextBuffer, layout: Layout, target: Omit<RowPosition, 'column'>): TextBuffer {
  const goalColumn = buffer.goalColumn ?? rowPositionOf(buffer, layout).column;
  const cursor = placeAt(lineAt(buffer, target.line), layout, { ...target, column: goalColumn });
  return { lines: buffer.lines, cursor, goalColumn };
}

function placeAt(text: string, layout: Layout, { line, row, column }: RowPosition): Position {
  const rows = wrapText(text, layout);
  const { start, end } = rows[row] ?? { start: 0, end: 0 };
  let offset = start;
  for (let width = 0; offset < end; ) {
    const next = nextBorder(text, offset);
    width += widthOf(shownAs(text.slice(offset, next), layout));
    if (width > column) break;
    offset = next;
  }
  // The end of a row that is not the last is displayed at the start of the next.
  const isElsewhere = offset === end && row + 1 < rows.length;
  return { line, offset: isElsewhere ? Math.max(start, previousBorder(text, offset)) : offset };
}

function rowAt(rows: readonly Row[], offset: number): number {
  const found = rows.findIndex(({ end }) => offset < end);
  return found === -1 ? rows.length - 1 : found;
}
