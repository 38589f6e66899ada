import { toShownLines } from '../lines/shown-text.js';
import type { StyledLine } from '../lines/styled-line.js';
import { wrapLine } from '../lines/wrap-line.js';

export function promptLines(
  input: { readonly text: string; readonly images: readonly unknown[] },
  columns: number,
): readonly StyledLine[] {
  const { text, images } = input;
  const words = foldMiddle(
    toShownLines(text.trimEnd()).flatMap((line) => wrapLine([{ text: line, bold: true }], columns - 2)),
  );
  const pictures = images.length === 0 ? [] : [[{ text: countOf(images.length), token: 'Gray' } as const]];
  const lines: readonly StyledLine[] = [...words, ...pictures];
  return [
    ...lines.map((line, index): StyledLine => [{ text: index === 0 ? '> ' : '  ', token: 'AccentBlue' }, ...line]),
    [],
  ];
}

/** Rows of a prompt that is printed in full; a paste may have thousands. */
const MOST_ROWS = 16;
const HEAD_ROWS = 8;
const TAIL_ROWS = 4;

function foldMiddle(rows: readonly StyledLine[]): readonly StyledLine[] {
  if (rows.length <= MOST_ROWS) return rows;
  const left = rows.length - HEAD_ROWS - TAIL_ROWS;
  return [...rows.slice(0, HEAD_ROWS), [{ text: `… ${left} more lines`, token: 'Gray' }], ...rows.slice(-TAIL_ROWS)];
}

function countOf(images: number): string {
  return images === 1 ? '[1 picture]' : `[${images} pictures]`;
}
