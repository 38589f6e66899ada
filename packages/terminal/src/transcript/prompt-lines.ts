import { toShownLines } from '../lines/shown-text.js';
import type { StyledLine } from '../lines/styled-line.js';
import { wrapLine } from '../lines/wrap-line.js';

export function promptLines(
  input: { readonly text: string; readonly images: readonly unknown[] },
  columns: number,
): readonly StyledLine[] {
  const { text, images } = input;
  const words = toShownLines(text.trimEnd()).flatMap((line) => wrapLine([{ text: line, bold: true }], columns - 2));
  const pictures = images.length === 0 ? [] : [[{ text: countOf(images.length), token: 'Gray' } as const]];
  const lines: readonly StyledLine[] = [...words, ...pictures];
  return [
    ...lines.map((line, index): StyledLine => [{ text: index === 0 ? '> ' : '  ', token: 'AccentBlue' }, ...line]),
    [],
  ];
}

function countOf(images: number): string {
  return images === 1 ? '[1 picture]' : `[${images} pictures]`;
}
