import { nextBorder, previousBorder } from './grapheme-borders.js';
import { lineAt, replaceStretch, type TextBuffer } from './text-buffer.js';

/** As shells do: at the line end, swaps the two characters before the cursor. */
export function transpose(buffer: TextBuffer): TextBuffer {
  const { line, offset } = buffer.cursor;
  const text = lineAt(buffer, line);
  const middle = offset === text.length ? previousBorder(text, offset) : offset;
  if (middle === 0) return buffer;
  const start = previousBorder(text, middle);
  const end = nextBorder(text, middle);
  const swapped = text.slice(middle, end) + text.slice(start, middle);
  return replaceStretch(buffer, { from: { line, offset: start }, to: { line, offset: end } }, swapped);
}
