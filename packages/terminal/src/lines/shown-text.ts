import { toVisible } from '@qwen/host/visible-text.js';
import { widthOf } from './text-width.js';

/** What parts a text into lines for us: `\r\n` as well as `\n`. */
const LINE_END = /(?<!\r)\r*\n/;

/** Joiners that a script or a picture of several needs; they hide nothing between two such characters. */
const JOINER =
  /(?<=[\p{Lo}\p{M}\p{Extended_Pictographic}\p{Emoji_Modifier}])([\u200c\u200d])(?=[\p{Lo}\p{M}\p{Extended_Pictographic}])/u;

const ANY_JOINER = /([\u200c\u200d])/;

const PLAIN = /^[ -~]*$/;

/** Columns between the places that a tab goes to. */
const TAB_STOPS = 4;

/**
 * One line of somebody's text as a segment may hold it (S25): tabs are spaces, and what a terminal would not show or obey
 * is written out as `\uXXXX`. The same text again for a text that it gave.
 */
export function toShown(text: string): string {
  if (PLAIN.test(text)) return text;
  return expandTabs(text)
    .split(JOINER)
    .map((piece, index) => (index % 2 === 1 ? piece : toVisible(piece)))
    .join('');
}

/** Each line of a text as a segment may hold it. */
export function toShownLines(text: string): readonly string[] {
  return text.split(LINE_END).map(toShown);
}

/** A text of several lines in one, for places that have only one. */
export function toShownInOne(text: string): string {
  return toShown(text.trim().replaceAll(/\s+/g, (space) => (/[\r\n]/.test(space) ? ' ' : space)));
}

/** What is left to do for a piece of a shown text, which may begin or end with a joiner: nothing, if it is one. */
export function toHarmless(text: string): string {
  if (PLAIN.test(text)) return text;
  return text
    .split(ANY_JOINER)
    .map((piece, index) => (index % 2 === 1 ? piece : toVisible(piece)))
    .join('');
}

function expandTabs(text: string): string {
  if (!text.includes('\t')) return text;
  const [first = '', ...rest] = text.split('\t');
  let expanded = first;
  let width = widthOf(first);
  for (const piece of rest) {
    const gap = TAB_STOPS - (width % TAB_STOPS);
    expanded += ' '.repeat(gap) + piece;
    width += gap + widthOf(piece);
  }
  return expanded;
}
