import { carryIndentation } from './carry-indentation.js';
import { mainLineEnd, withLineEnds } from './text-encoding.js';
import { readings, type TextReading, type TextReplacement } from './text-readings.js';

/** A place in a file, and what to write there. */
export interface Fit {
  readonly start: number;
  readonly end: number;
  /** Missing if what the new text means there is unclear. */
  readonly replacement: string | undefined;
}

interface FileLine {
  readonly start: number;
  /** Without the line end. */
  readonly text: string;
  readonly lineEnd: string;
}

interface SearchedFile {
  readonly text: string;
  readonly lines: readonly FileLine[];
  /** Of the lines. */
  readonly keys: readonly string[];
  /** The text with look-alikes replaced, as long. */
  readonly plain: string;
}

/**
 * Every place where a text fits although it does not occur. Whole lines are equal apart from blanks around them, line
 * ends and look-alike characters; the text may also be escaped once too often or carry line numbers. Never by similarity.
 */
export async function fitText(text: string, replacement: TextReplacement): Promise<readonly Fit[]> {
  const lines = splitLines(text);
  const file = { text, lines, keys: lines.map((line) => lineKey(line.text)), plain: plainCharacters(text) };
  const fits: Fit[] = [];
  for (const reading of readings(replacement)) {
    const exact = await fitLines(file, reading, splitOld(reading.oldText));
    const whole = exact.length > 0 ? exact : await fitLines(file, reading, trimmedLines(reading.oldText));
    const inside = reading.isWholeLines === true ? [] : fitCharacters(file, reading);
    const others = inside.filter((fit) => !whole.some((other) => overlaps(fit, other)));
    for (const fit of [...whole, ...others]) addFit(fits, fit, text);
  }
  return fits.toSorted((left, right) => left.start - right.start);
}

/** Two readings that fit the same place must agree on the new text. */
function addFit(fits: Fit[], fit: Fit, text: string): void {
  const index = fits.findIndex((other) => overlaps(fit, other));
  const same = fits[index];
  if (same === undefined) {
    fits.push(fit);
    return;
  }
  const start = Math.min(same.start, fit.start);
  const end = Math.max(same.end, fit.end);
  const result = (one: Fit) => text.slice(start, one.start) + (one.replacement ?? '') + text.slice(one.end, end);
  const isClear = same.replacement !== undefined && fit.replacement !== undefined && result(same) === result(fit);
  fits[index] = { start, end, replacement: isClear ? result(same) : undefined };
}

function overlaps(left: Fit, right: Fit): boolean {
  return left.start < right.end && right.start < left.end;
}

/** Where the characters occur, also as a part of a line. */
function fitCharacters(file: SearchedFile, { oldText, newText }: TextReading): Fit[] {
  const needle = plainCharacters(withLineEnds(oldText, '\n'));
  if (!/[\p{L}\p{N}]/u.test(needle)) return [];
  const pattern = new RegExp(escapeForRegExp(needle).replaceAll('\n', '\\r?\\n'), 'g');
  return [...file.plain.matchAll(pattern)].map(({ index: start, 0: found }) => {
    const lineEnd = mainLineEnd(found.includes('\n') ? found : file.text);
    return {
      start,
      end: start + found.length,
      replacement: newText === undefined ? undefined : withLineEnds(newText, lineEnd),
    };
  });
}

async function fitLines(file: SearchedFile, { newText }: TextReading, wanted: TrimmedLines): Promise<Fit[]> {
  const { lines, keys: known } = file;
  const keys = wanted.lines.map(lineKey);
  if (keys.length === 0 || !keys.some((key) => key !== '')) return [];
  const fits: Fit[] = [];
  for (let first = 0; first + keys.length <= lines.length; first += 1) {
    if (!keys.every((key, index) => known[first + index] === key)) continue;
    const found = lines.slice(first, first + keys.length);
    const [head, last] = [found[0], found.at(-1)];
    if (head === undefined || last === undefined) continue;
    const end = last.start + last.text.length + last.lineEnd.length;
    const replacement =
      newText === undefined ? undefined : await newLines({ found, old: wanted, newText, file: lines });
    fits.push({ start: head.start, end, replacement });
  }
  return fits;
}

interface LinesToWrite {
  readonly found: readonly FileLine[];
  readonly old: TrimmedLines;
  readonly newText: string;
  readonly file: readonly FileLine[];
}

async function newLines({ found, old, newText, file }: LinesToWrite): Promise<string | undefined> {
  const fresh = withLineEnds(newText, '\n');
  const endsLine = old.endsLine && (fresh.endsWith('\n') || fresh === '');
  const lines = fresh === '' && old.endsLine ? [] : (endsLine ? fresh.slice(0, -1) : fresh).split('\n');
  const inner = withoutOuterBlanks(lines, old);
  const carried = await carryIndentation({
    oldLines: old.lines,
    fileLines: found.map(({ text }) => text),
    newLines: inner,
    file: file.map(({ text }) => text),
  });
  if (carried === undefined) return undefined;
  const lineEnd = mainLineEnd(found.map((line) => line.text + line.lineEnd).join(''));
  const majority = found.some((line) => line.lineEnd !== '') ? lineEnd : mainLineEnd(file.map(joined).join(''));
  const lastEnd = found.at(-1)?.lineEnd ?? '';
  if (carried.length === 0) return old.endsLine ? '' : lastEnd;
  return carried.join(majority) + lastEnd;
}

function joined({ text, lineEnd }: FileLine): string {
  return text + lineEnd;
}

interface TrimmedLines {
  readonly lines: readonly string[];
  readonly blanksBefore: number;
  readonly blanksAfter: number;
  /** Whether the text ends with a line end. */
  readonly endsLine: boolean;
}

function splitOld(text: string): TrimmedLines {
  const plain = withLineEnds(text, '\n');
  const endsLine = plain.endsWith('\n');
  const lines = (endsLine ? plain.slice(0, -1) : plain).split('\n');
  return { lines, blanksBefore: 0, blanksAfter: 0, endsLine };
}

/** Without blank lines at the start and the end. */
function trimmedLines(text: string): TrimmedLines {
  const { lines, endsLine } = splitOld(text);
  const first = lines.findIndex((line) => lineKey(line) !== '');
  const last = lines.findLastIndex((line) => lineKey(line) !== '');
  if (first === -1) return { lines: [], blanksBefore: 0, blanksAfter: 0, endsLine };
  return {
    lines: lines.slice(first, last + 1),
    blanksBefore: first,
    blanksAfter: lines.length - 1 - last,
    endsLine,
  };
}

/** Those that the old text had too stay outside. */
function withoutOuterBlanks(lines: readonly string[], { blanksBefore, blanksAfter }: TrimmedLines): readonly string[] {
  let start = 0;
  let end = lines.length;
  while (start < blanksBefore && start < end && lines[start]?.trim() === '') start += 1;
  while (lines.length - end < blanksAfter && end > start && lines[end - 1]?.trim() === '') end -= 1;
  return lines.slice(start, end);
}

export function splitLines(text: string): FileLine[] {
  const lines: FileLine[] = [];
  let start = 0;
  while (start < text.length) {
    const feed = text.indexOf('\n', start);
    const next = feed === -1 ? text.length : feed + 1;
    const lineEnd = feed === -1 ? '' : text.charCodeAt(feed - 1) === 0x0d && feed > start ? '\r\n' : '\n';
    lines.push({ start, text: text.slice(start, next - lineEnd.length), lineEnd });
    start = next;
  }
  return lines;
}

/** Equal for lines that count as the same. */
export function lineKey(line: string): string {
  return plainCharacters(line)
    .replaceAll(/[\u200b-\u200d\u2060\ufeff]/g, '')
    .replaceAll('…', '...')
    .normalize('NFC')
    .trim();
}

/** Look-alikes as ASCII, each as one character. */
function plainCharacters(text: string): string {
  return text
    .replaceAll(/[\u2018\u2019\u201a\u201b\u2032\u02b9\u02bc]/g, "'")
    .replaceAll(/[\u201c\u201d\u201e\u201f\u2033\u02ba]/g, '"')
    .replaceAll(/[\u2010-\u2015\u2212\ufe58\ufe63\uff0d]/g, '-')
    .replaceAll(/[\u00a0\u1680\u2000-\u200a\u202f\u205f\u3000]/g, ' ');
}

export function escapeForRegExp(text: string): string {
  return text.replace(/[\\^$.*+?()[\]{}|/]/g, '\\$&');
}
