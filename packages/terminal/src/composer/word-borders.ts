import { isAtom } from './atoms.js';
import { previousBorder, toBorder } from './grapheme-borders.js';

let made: Intl.Segmenter | undefined;

/** Made with the first text: what it knows of languages takes a while to load. */
function segmenter(): Intl.Segmenter {
  made ??= new Intl.Segmenter(undefined, { granularity: 'word' });
  return made;
}

/** Of longer lines this many UTF-16 units beside the place that counts are looked at. */
const REACH = 2_000;

/** Where the word at or behind `offset` ends; words as a language has them, also where no blanks part them. */
export function wordEnd(line: string, offset: number): number {
  const word = wordsOf(line.slice(offset, offset + REACH)).next().value;
  const end = word === undefined ? REACH : word.index + word.segment.length;
  return toBorder(line, Math.min(offset + end, line.length));
}

/** Where the word at or before `offset` begins. */
export function wordStart(line: string, offset: number): number {
  const from = Math.max(0, offset - REACH);
  const last = [...wordsOf(line.slice(from, offset))].at(-1);
  return Math.min(toBorder(line, from + (last?.index ?? 0)), offset);
}

/** Where what stands before `offset` without a blank begins. */
export function blankStart(line: string, offset: number): number {
  let at = offset;
  while (at > 0 && isBlankBefore(line, at)) at = previousBorder(line, at);
  while (at > 0 && !isBlankBefore(line, at)) at = previousBorder(line, at);
  return at;
}

function* wordsOf(text: string): Generator<Intl.SegmentData> {
  for (const data of segmenter().segment(text)) {
    if (data.isWordLike === true || isAtom(data.segment)) yield data;
  }
}

function isBlankBefore(line: string, offset: number): boolean {
  return /\s/.test(line[offset - 1] ?? '');
}
