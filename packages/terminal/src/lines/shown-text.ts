import { escapeHidden } from '@qwen/protocol';
import { widthOf } from './text-width.js';

/** Matches LF and CRLF. */
const LINE_END = /(?<!\r)\r*\n/;

const PLAIN = /^[ -~]*$/;

const TAB_STOPS = 4;

/** Escapes one line of untrusted text: tabs become spaces, control and invisible characters `\uXXXX`. Idempotent. */
export function toShown(text: string): string {
  if (PLAIN.test(text)) return text;
  return escapeHidden(expandTabs(text));
}

export function toShownLines(text: string): readonly string[] {
  return text.split(LINE_END).map(toShown);
}

export function toShownInOne(text: string): string {
  return toShown(text.trim().replaceAll(/\s+/g, (space) => (/[\r\n]/.test(space) ? ' ' : space)));
}

/** Escapes a piece of escaped text, which may now begin or end with a joiner. */
export function toHarmless(text: string): string {
  return escapeHidden(text, { isPart: true });
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
