import { ATOM_UNIT } from './atoms.js';

// Lines contain no line feed, and ASCII characters never combine.

/** UTF-16 units around a place that are searched for a boundary. */
const SURROUNDINGS = 512;

let made: Intl.Segmenter | undefined;

/** Created on first use: loading language data is slow. */
function segmenter(): Intl.Segmenter {
  made ??= new Intl.Segmenter(undefined, { granularity: 'grapheme' });
  return made;
}

export function nextBorder(line: string, offset: number): number {
  if (offset >= line.length) return line.length;
  if (isPlain(line, offset) && (offset + 1 === line.length || isPlain(line, offset + 1))) return offset + 1;
  return clusterAround(line, offset).end;
}

export function previousBorder(line: string, offset: number): number {
  if (offset <= 1) return 0;
  if (isPlain(line, offset - 1) && isPlain(line, offset - 2)) return offset - 1;
  return clusterAround(line, offset - 1).start;
}

/** `offset` itself if it is a boundary, else the next one. */
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

export function* borders(line: string, from: number, to: number): Generator<number> {
  for (let start = from; start < to; ) {
    if (line[start] === ATOM_UNIT) {
      start += 2;
      yield start;
      continue;
    }
    const atom = line.indexOf(ATOM_UNIT, start);
    const end = atom === -1 ? to : Math.min(atom, to);
    for (const { index, segment } of segmenter().segment(line.slice(start, end))) yield start + index + segment.length;
    start = end;
  }
}

/** An atom never joins its neighbours. */
function clusterAround(line: string, index: number): { readonly start: number; readonly end: number } {
  if (line[index] === ATOM_UNIT) return { start: index, end: index + 2 };
  if (line[index - 1] === ATOM_UNIT) return { start: index - 1, end: index + 1 };
  const from = contextStart(line, index);
  const ahead = line.slice(index, index + SURROUNDINGS);
  const atom = ahead.indexOf(ATOM_UNIT);
  const run = line.slice(from, index) + (atom === -1 ? ahead : ahead.slice(0, atom));
  const found = segmenter()
    .segment(run)
    .containing(index - from);
  const start = from + (found?.index ?? 0);
  return { start, end: start + (found?.segment.length ?? 1) };
}

/** A certain boundary before `index`: after an atom or between two ASCII characters. */
function contextStart(line: string, index: number): number {
  const farthest = Math.max(0, index - SURROUNDINGS);
  for (let at = index; at > farthest; at -= 1) {
    if (line[at - 2] === ATOM_UNIT) return at;
    if (isPlain(line, at) && isPlain(line, at - 1)) return at;
  }
  return farthest;
}
