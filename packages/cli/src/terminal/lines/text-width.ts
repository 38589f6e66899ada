import stringWidth from 'string-width';
import type { StyledLine } from './styled-line.js';

const PLAIN = /^[ -~]*$/;

/** Joined characters are looked for in pieces of this many code points, so that no text makes it slow. */
const PIECES = /[^]{1,4096}/gu;

const segmenter = new Intl.Segmenter(undefined, { granularity: 'grapheme' });

/** How many columns a text takes that holds nothing that steers a terminal. */
export function widthOf(text: string): number {
  return PLAIN.test(text) ? text.length : stringWidth(text, { countAnsiEscapeCodes: true });
}

/** The same for a line. */
export function lineWidth(line: StyledLine): number {
  return line.reduce((sum, { text }) => sum + widthOf(text), 0);
}

/** What a person sees as one character each. */
export function* charactersOf(text: string): Generator<string> {
  if (PLAIN.test(text)) {
    yield* text;
    return;
  }
  for (const piece of text.match(PIECES) ?? []) {
    for (const { segment } of segmenter.segment(piece)) yield segment;
  }
}
