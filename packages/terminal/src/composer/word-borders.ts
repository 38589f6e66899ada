import { isAtom } from './atoms.js';
import { previousBorder, toBorder } from './grapheme-borders.js';

let made: Intl.Segmenter | undefined;

/** Created on first use: loading language data is slow. */
function segmenter(): Intl.Segmenter {
  made ??= new Intl.Segmenter(undefined, { granularity: 'word' });
  return made;
}

/** UTF-16 units examined on each side in long lines. */
const REACH = 2_000;

/** Uses language rules, also for scripts without spaces. */
export function wordEnd(line: string, offset: number): number {
  const word = wordsOf(line.slice(offset, offset + REACH)).next().value;
  const end = word === undefined ? REACH : word.index + word.segment.length;
  return toBorder(line, Math.min(offset + end, line.length));
}

export function wordStart(line: string, offset: number): number {
  const from = Math.max(0, offset - REACH);
  const last = [...wordsOf(line.slice(from, offset))].at(-1);
  return Math.min(toBorder(line, from + (last?.index ?? 0)), offset);
}

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
