import type { Segment, StyledLine } from './styled-line.js';
import { charactersOf, characterWidth, lineWidth } from './text-width.js';

interface Cell {
  readonly text: string;
  readonly width: number;
  readonly segment: Segment;
}

/** A wide character takes two. */
const FEWEST_COLUMNS = 2;

/** Prefers to break between words and drops spaces at a break. */
export function wrapLine(line: StyledLine, columns: number): StyledLine[] {
  const limit = Math.max(columns, FEWEST_COLUMNS);
  if (lineWidth(line) <= limit) return [line];
  const lines: StyledLine[] = [];
  let row: Cell[] = [];
  let width = 0;
  // Row length at the last possible break; 0: none.
  let breakAt = 0;
  const breakRow = (at: number): void => {
    lines.push(toLine(withoutLastSpaces(row.slice(0, at))));
    row = row.slice(at);
    width = row.reduce((sum, cell) => sum + cell.width, 0);
    breakAt = 0;
  };
  for (const cell of cellsOf(line)) {
    const isSpace = cell.text === ' ';
    if (isSpace && lines.length > 0 && row.length === 0) continue;
    if (width + cell.width > limit && row.length > 0) {
      if (isSpace) {
        breakRow(row.length);
        continue;
      }
      breakRow(cell.width > 1 || breakAt === 0 ? row.length : breakAt);
      if (width + cell.width > limit && row.length > 0) breakRow(row.length);
    }
    row.push(cell);
    width += cell.width;
    // Wide scripts break anywhere. An indent alone is not a line.
    if (cell.width > 1 || (isSpace && row.some(({ text }) => text !== ' '))) breakAt = row.length;
  }
  if (row.length > 0) lines.push(toLine(withoutLastSpaces(row)));
  return lines;
}

/** Breaks at the column, as a terminal does, and keeps every character. For code and commands. */
export function chopLine(line: StyledLine, columns: number): StyledLine[] {
  const limit = Math.max(columns, FEWEST_COLUMNS);
  if (lineWidth(line) <= limit) return [line];
  const lines: StyledLine[] = [];
  let row: Cell[] = [];
  let width = 0;
  for (const cell of cellsOf(line)) {
    if (width + cell.width > limit && row.length > 0) {
      lines.push(toLine(row));
      row = [];
      width = 0;
    }
    row.push(cell);
    width += cell.width;
  }
  lines.push(toLine(row));
  return lines;
}

export function cutLine(line: StyledLine, columns: number): StyledLine {
  if (lineWidth(line) <= columns) return line;
  const row: Cell[] = [];
  let width = 0;
  for (const cell of cellsOf(line)) {
    if (width + cell.width > columns - 1) break;
    row.push(cell);
    width += cell.width;
  }
  return [...toLine(row), { ...line.at(-1), text: '…' }];
}

function* cellsOf(line: StyledLine): Generator<Cell> {
  for (const segment of line) {
    for (const text of charactersOf(segment.text)) yield { text, width: characterWidth(text), segment };
  }
}

function withoutLastSpaces(row: readonly Cell[]): readonly Cell[] {
  return row.slice(0, row.findLastIndex(({ text }) => text !== ' ') + 1);
}

function toLine(row: readonly Cell[]): StyledLine {
  const line: Segment[] = [];
  let origin: Segment | undefined;
  for (const { text, segment } of row) {
    const last = line.at(-1);
    if (last !== undefined && origin === segment) line[line.length - 1] = { ...last, text: last.text + text };
    else line.push({ ...segment, text });
    origin = segment;
  }
  return line;
}
