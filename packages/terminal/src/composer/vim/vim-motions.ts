import { nextBorder, previousBorder } from '../grapheme-borders.js';

/** Offsets in the text with line ends. `to` is after the last character. */
export interface VimRange {
  readonly from: number;
  readonly to: number;
  /** Whole lines. */
  readonly isLines?: true;
}

export interface VimTarget {
  readonly at: number;
  /** An operator includes the character at the target. */
  readonly isInclusive?: true;
  readonly isLines?: true;
}

export interface VimMove {
  readonly text: string;
  readonly at: number;
  /** Undefined if none was typed. */
  readonly count: number | undefined;
}

/** Undefined if there is no such place. */
type Motion = (move: VimMove) => VimTarget | undefined;

export function lineStart(text: string, at: number): number {
  return at === 0 ? 0 : text.lastIndexOf('\n', at - 1) + 1;
}

export function lineEnd(text: string, at: number): number {
  const end = text.indexOf('\n', at);
  return end === -1 ? text.length : end;
}

export function firstWord(text: string, at: number): number {
  const start = lineStart(text, at);
  const blanks = /^[ \t]*/.exec(text.slice(start, lineEnd(text, at)))?.[0].length ?? 0;
  return start + blanks;
}

export function charAfter(text: string, at: number): number {
  return at >= text.length ? at : nextBorder(text, at);
}

export function charBefore(text: string, at: number): number {
  return at <= 0 ? 0 : previousBorder(text, at);
}

type Kind = 'blank' | 'word' | 'other';

function kindAt(text: string, at: number, isBig: boolean): Kind {
  const character = String.fromCodePoint(text.codePointAt(at) ?? 32);
  if (/\s/.test(character)) return 'blank';
  return isBig || /[\p{L}\p{N}_]/u.test(character) ? 'word' : 'other';
}

const wordForward = (isBig: boolean) => (text: string, from: number) => {
  let at = from;
  if (kindAt(text, at, isBig) !== 'blank') at = charAfter(text, lastOfWord(text, at, isBig));
  while (at < text.length && kindAt(text, at, isBig) === 'blank') at += 1;
  return at;
};

const wordBack = (isBig: boolean) => (text: string, from: number) => {
  let at = charBefore(text, from);
  while (at > 0 && kindAt(text, at, isBig) === 'blank') at = charBefore(text, at);
  const kind = kindAt(text, at, isBig);
  while (at > 0 && kindAt(text, charBefore(text, at), isBig) === kind) at = charBefore(text, at);
  return at;
};

const wordEnd = (isBig: boolean) => (text: string, from: number) => {
  let at = charAfter(text, from);
  while (at < text.length && kindAt(text, at, isBig) === 'blank') at += 1;
  return at >= text.length ? charBefore(text, text.length) : lastOfWord(text, at, isBig);
};

/** The last character of the word at the cursor. */
export function lastOfWord(text: string, from: number, isBig: boolean): number {
  const kind = kindAt(text, from, isBig);
  let at = from;
  for (let next = charAfter(text, at); next < text.length && kindAt(text, next, isBig) === kind; ) {
    at = next;
    next = charAfter(text, at);
  }
  return at;
}

function repeated(step: (text: string, at: number) => number, isInclusive?: true): Motion {
  return ({ text, at, count = 1 }) => {
    let place = at;
    for (let done = 0; done < Math.min(count, text.length + 1); done += 1) place = step(text, place);
    return { at: place, ...(isInclusive && { isInclusive }) };
  };
}

const paragraph = (direction: 1 | -1) => (text: string, from: number) => {
  for (let at = from + direction; at > 0 && at < text.length; at += direction) {
    if (text[at] === '\n' && text[at - 1] === '\n') return at;
  }
  return direction === 1 ? text.length : 0;
};

const toLine =
  (lineOf: (move: VimMove, lines: number) => number): Motion =>
  (move) => {
    const lines = move.text.split('\n');
    const wanted = Math.max(0, Math.min(lineOf(move, lines.length), lines.length - 1));
    const start = lines.slice(0, wanted).reduce((sum, line) => sum + line.length + 1, 0);
    return { at: firstWord(move.text, start), isLines: true };
  };

const vertical =
  (direction: 1 | -1): Motion =>
  ({ text, at, count = 1 }) => {
    const column = at - lineStart(text, at);
    let start = lineStart(text, at);
    for (let done = 0; done < count; done += 1) {
      const next = direction === 1 ? lineEnd(text, start) + 1 : lineStart(text, start - 1);
      if (next > text.length || (direction === -1 && start === 0))
        return done === 0 ? undefined : { at: start, isLines: true };
      start = next;
    }
    return { at: Math.min(start + column, lineEnd(text, start)), isLines: true };
  };

const PAIRS = '()[]{}';

const matching: Motion = ({ text, at }) => {
  const offset = text.slice(at, lineEnd(text, at)).search(/[()[\]{}]/);
  if (offset === -1) return undefined;
  const start = at + offset;
  const other = text[start];
  const place = PAIRS.indexOf(other ?? '');
  const step = place % 2 === 0 ? 1 : -1;
  const match = unmatched(text, start + step, { wanted: PAIRS[place + step], other, step });
  return match === undefined ? undefined : { at: match, isInclusive: true };
};

export const MOTIONS: ReadonlyMap<string, Motion> = new Map<string, Motion>([
  ['h', repeated((text, at) => (at === lineStart(text, at) ? at : charBefore(text, at)))],
  ['l', repeated((text, at) => (at === lineEnd(text, at) ? at : charAfter(text, at)))],
  ['j', vertical(1)],
  ['k', vertical(-1)],
  ['w', repeated(wordForward(false))],
  ['W', repeated(wordForward(true))],
  ['b', repeated(wordBack(false))],
  ['B', repeated(wordBack(true))],
  ['e', repeated(wordEnd(false), true)],
  ['E', repeated(wordEnd(true), true)],
  ['0', ({ text, at }) => ({ at: lineStart(text, at) })],
  ['^', ({ text, at }) => ({ at: firstWord(text, at) })],
  ['$', ({ text, at }) => ({ at: lineEnd(text, at) })],
  ['gg', toLine(({ count = 1 }) => count - 1)],
  ['G', toLine(({ count }, lines) => (count ?? lines) - 1)],
  ['{', repeated(paragraph(-1))],
  ['}', repeated(paragraph(1))],
  ['%', matching],
]);

/** `f`, `F`, `t` and `T`, within the line. */
export function findCharacter(kind: string, wanted: string, { text, at, count = 1 }: VimMove): VimTarget | undefined {
  const isForward = kind === 'f' || kind === 't';
  const [start, end] = [lineStart(text, at), lineEnd(text, at)];
  let place = at;
  for (let done = 0; done < count; done += 1) {
    place = isForward ? text.indexOf(wanted, place + 1) : text.lastIndexOf(wanted, place - 1);
    if (place < start || place >= end || (!isForward && place >= at)) return undefined;
  }
  if (kind === 't') return { at: charBefore(text, place), isInclusive: true };
  if (kind === 'T') return { at: place + wanted.length };
  return isForward ? { at: place, isInclusive: true } : { at: place };
}

const BRACKETS: ReadonlyMap<string, string> = new Map([
  ['(', '()'],
  [')', '()'],
  ['b', '()'],
  ['[', '[]'],
  [']', '[]'],
  ['{', '{}'],
  ['}', '{}'],
  ['B', '{}'],
  ['<', '<>'],
  ['>', '<>'],
]);

/** For example `iw` or `a"`. Undefined if there is none around the cursor. */
export function textObject(name: string, text: string, at: number): VimRange | undefined {
  const [how = '', what = ''] = name;
  if (what === 'w' || what === 'W') return wordAround(text, at, { isBig: what === 'W', withBlank: how === 'a' });
  const pair = BRACKETS.get(what) ?? what + what;
  const inside = pair[0] === pair[1] ? quoteAround(text, at, what) : bracketAround(text, at, pair);
  if (inside === undefined) return undefined;
  return how === 'i' ? inside : { from: inside.from - 1, to: inside.to + 1 };
}

function wordAround(text: string, at: number, how: { readonly isBig: boolean; readonly withBlank: boolean }): VimRange {
  const [start, end] = [lineStart(text, at), lineEnd(text, at)];
  const same = (place: number, kind: Kind) => kindAt(text, place, how.isBig) === kind;
  const kind = kindAt(text, at, how.isBig);
  let [from, to] = [at, at];
  while (from > start && same(charBefore(text, from), kind)) from = charBefore(text, from);
  while (to < end && same(to, kind)) to = charAfter(text, to);
  if (!how.withBlank) return { from, to };
  let wide = to;
  while (wide < end && same(wide, 'blank')) wide += 1;
  if (wide > to) return { from, to: wide };
  while (from > start && same(from - 1, 'blank')) from -= 1;
  return { from, to };
}

function quoteAround(text: string, at: number, quote: string): VimRange | undefined {
  const [start, end] = [lineStart(text, at), lineEnd(text, at)];
  const places = [...text.slice(start, end).matchAll(/["'`]/g)]
    .filter(([mark]) => mark === quote)
    .map(({ index }) => start + index);
  for (let index = 0; index + 1 < places.length; index += 2) {
    const [open = 0, close = 0] = [places[index], places[index + 1]];
    if (at <= close) return { from: open + 1, to: close };
  }
  return undefined;
}

function bracketAround(text: string, at: number, pair: string): VimRange | undefined {
  const [open, close] = pair;
  const from = unmatched(text, text[at] === close ? at - 1 : at, { wanted: open, other: close, step: -1 });
  if (from === undefined) return undefined;
  const to = unmatched(text, from + 1, { wanted: close, other: open, step: 1 });
  return to === undefined ? undefined : { from: from + 1, to };
}

interface BracketSearch {
  readonly wanted: string | undefined;
  readonly other: string | undefined;
  readonly step: 1 | -1;
}

function unmatched(text: string, from: number, { wanted, other, step }: BracketSearch): number | undefined {
  let depth = 0;
  for (let at = from; at >= 0 && at < text.length; at += step) {
    if (text[at] === wanted && depth === 0) return at;
    if (text[at] === wanted) depth -= 1;
    if (text[at] === other) depth += 1;
  }
  return undefined;
}
