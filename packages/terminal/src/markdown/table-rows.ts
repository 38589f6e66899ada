import type { Alignment } from './block.js';

const CELL = /^ *(:?)-+(:?) *$/;

/** A `\|` is not a separator. */
export function cellsOf(line: string): readonly string[] {
  const inner = line
    .trim()
    .replace(/^\|/, '')
    .replace(/(?<!\\)\|$/, '');
  return inner.split(/(?<!\\)\|/).map((cell) => cell.trim().replaceAll('\\|', '|'));
}

/** Undefined unless the line is a delimiter row with this many columns. */
export function alignmentsOf(line: string, columns: number): readonly Alignment[] | undefined {
  if (!line.includes('-') || !/[|:]/.test(line)) return undefined;
  const cells = cellsOf(line);
  if (cells.length !== columns) return undefined;
  const alignments: Alignment[] = [];
  for (const cell of cells) {
    const match = CELL.exec(cell);
    if (match === null) return undefined;
    alignments.push(match[2] === '' ? 'left' : match[1] === '' ? 'right' : 'center');
  }
  return alignments;
}
