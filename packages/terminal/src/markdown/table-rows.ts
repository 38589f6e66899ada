import type { Alignment } from './block.js';

const CELL = /^ *(:?)-+(:?) *$/;

/** The cells of a row of a table; a `\|` is no border. */
export function cellsOf(line: string): readonly string[] {
  const inner = line
    .trim()
    .replace(/^\|/, '')
    .replace(/(?<!\\)\|$/, '');
  return inner.split(/(?<!\\)\|/).map((cell) => cell.trim().replaceAll('\\|', '|'));
}

/** How the columns stand, when the line is the one below the head of a table of so many columns. */
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
