import { ATOM_UNIT } from './atoms.js';

// One line is asked about at a time: it holds no line feed, and between two characters of ASCII there is always a border.

const segmenter = new Intl.Segmenter(undefined, { granularity: 'grapheme' });

/** The nearest place behind `offset` where a character as a person sees it ends; the end of the line at most. */
export function nextBorder(line: string, offset: number): number {
  if (offset >= line.length) return line.length;
  if (isPlain(line, offset) && (offset + 1 === line.length || isPlain(line, offset + 1))) return offset + 1;
  return clusterAround(line, offset).end;
}

/** The nearest such place before `offset`; 0 at least. */
export function previousBorder(line: string, offset: number): number {
  if (offset <= 1) return 0;
  if (isPlain(line, offset - 1) && isPlain(line, offset - 2)) return offset - 1;
  return clusterAround(line, offset - 1).start;
}

/** The place itself when it is a border, else the next one. */
export function toBorder(line: string, offset: number): number {
  if (offset <= 0) return 0;
  if (offset >= line.length) return line.length;
  if (isPlain(line, offset) && isPlain(line, offset - 1)) return offset;
  const { start, end } = clusterAround(line, offset);
  return start === offset ? offset : end;
}

function isPlain(line: string, index: number): boolean {
  return line.charCodeAt(index) < 0x80;
}

/** The character that the unit at `index` belongs to. An atom joins with nothing around it. */
function clusterAround(line: string, index: number): { readonly start: number; readonly end: number } {
  if (line[index] === ATOM_UNIT) return { start: index, end: index + 2 };
  const before = line.lastIndexOf(ATOM_UNIT, index);
  if (before !== -1 && index === before + 1) return { start: before, end: before + 2 };
  const from = before === -1 ? 0 : before + 2;
  const behind = line.indexOf(ATOM_UNIT, index);
  const stretch = line.slice(from, behind === -1 ? line.length : behind);
  const found = segmenter.segment(stretch).containing(index - from);
  const start = from + (found?.index ?? 0);
  return { start, end: start + (found?.segment.length ?? 1) };
}
