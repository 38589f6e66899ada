import stringWidth from 'string-width';
import type { StyledLine } from './styled-line.js';

/** Fast path: ASCII, Latin and UI symbols take one column; the width library is slow to load. */
const PLAIN = /^[ -~\u00a1-\u00ac\u00ae-\u02ff\u2010-\u2027\u2500-\u257f]*$/;

/** Scripts with one code unit per grapheme: Latin, Cyrillic, Kana, Han. */
const SIMPLE =
  /^[ -~\u00a1-\u00ac\u00ae-\u02ff\u0400-\u0482\u2010-\u2027\u3001-\u3029\u3041-\u3096\u30a1-\u30fa\u4e00-\u9fff]*$/;

/** Segmenting pieces of this many code points keeps the time linear. */
const PIECES = /[^]{1,4096}/gu;

const WIDTHS = new Map<string, number>();
const MAX_KEPT = 10_000;

let segmenter: Intl.Segmenter | undefined;

export function widthOf(text: string): number {
  return PLAIN.test(text) ? text.length : stringWidth(text, { countAnsiEscapeCodes: true });
}

export function characterWidth(character: string): number {
  const known = WIDTHS.get(character);
  if (known !== undefined) return known;
  const width = widthOf(character);
  if (WIDTHS.size >= MAX_KEPT) WIDTHS.clear();
  WIDTHS.set(character, width);
  return width;
}

export function lineWidth(line: StyledLine): number {
  return line.reduce((sum, { text }) => sum + widthOf(text), 0);
}

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
