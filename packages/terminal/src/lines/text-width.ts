import stringWidth from 'string-width';
import type { StyledLine } from './styled-line.js';

/** Each of them takes one column: ASCII, Latin, and the signs of our screens. What finds the width of all others is slow to load. */
const PLAIN = /^[ -~\u00a1-\u00ac\u00ae-\u02ff\u2010-\u2027\u2500-\u257f]*$/;

/** Letters of scripts in which one code unit is one character: Latin, Cyrillic, Kana and Han. */
const SIMPLE =
  /^[ -~\u00a1-\u00ac\u00ae-\u02ff\u0400-\u0482\u2010-\u2027\u3001-\u3029\u3041-\u3096\u30a1-\u30fa\u4e00-\u9fff]*$/;

/** Joined characters are looked for in pieces of this many code points, so that no text makes it slow. */
const PIECES = /[^]{1,4096}/gu;

const WIDTHS = new Map<string, number>();
const MAX_KEPT = 10_000;

let segmenter: Intl.Segmenter | undefined;

/** How many columns a text takes that holds nothing that steers a terminal. */
export function widthOf(text: string): number {
  return PLAIN.test(text) ? text.length : stringWidth(text, { countAnsiEscapeCodes: true });
}

/** The same for what `charactersOf` gives: the widths of characters that were met are kept. */
export function characterWidth(character: string): number {
  const known = WIDTHS.get(character);
  if (known !== undefined) return known;
  const width = widthOf(character);
  if (WIDTHS.size >= MAX_KEPT) WIDTHS.clear();
  WIDTHS.set(character, width);
  return width;
}

/** The same for a line. */
export function lineWidth(line: StyledLine): number {
  return line.reduce((sum, { text }) => sum + widthOf(text), 0);
}

/** What a person sees as one character each. */
export function* charactersOf(text: string): Generator<string> {
  if (SIMPLE.test(text)) {
    yield* text;
    return;
  }
  for (const piece of text.match(PIECES) ?? []) {
    segmenter ??= new Intl.Segmenter(undefined, { granularity: 'grapheme' });
    for (const { segment } of segmenter.segment(piece)) yield segment;
  }
}
