import { alignBlankLines } from './blank-lines.js';
import { carryIndentation } from './carry-indentation.js';
import { lineKey, plainCharacters, withLookAlikesOf, withoutStrangers } from './look-alikes.js';
import { mainLineEnd, withLineEnds } from './text-encoding.js';
import { readings, type TextReading, type TextReplacement } from './text-readings.js';

export interface Fit {
  readonly start: number;
  readonly end: number;
  /** Missing if what the new text means there is unclear. */
  readonly replacement: string | undefined;
}

/** A place where a text fits; several readings of the text may fit it. */
export interface TextMatch {
  readonly start: number;
  readonly end: number;
  readonly candidates: readonly Candidate[];
}

interface Candidate {
  readonly start: number;
  readonly end: number;
  /** Whether the lines differ only in trailing blanks. */
  readonly isExact: boolean;
  readonly write: () => Promise<string | undefined>;
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
  readonly keys: readonly string[];
  /** The text with look-alikes replaced, as long. */
  readonly plain: string;
}

/** More are not distinguished. */
const MAX_PLACES = 100;

/**
 * Every place where a text fits although it does not occur. Whole lines are equal apart from blanks around them, blank
 * lines, line ends and look-alike characters; the text may also be escaped once too often or too little, or carry line
 * numbers, marks of a diff or a code fence. Never by similarity.
 */
export async function fitText(text: string, replacement: TextReplacement): Promise<readonly TextMatch[]> {
  const lines = splitLines(text);
  const file = { text, lines, keys: lines.map((line) => lineKey(line.text)), plain: plainCharacters(text) };
  const places: TextMatch[] = [];
  for (const reading of readings(replacement, text)) {
    const exact = fitLines(file, reading, splitOld(reading.oldText));
    const trimmed = exact.length > 0 ? exact : fitLines(file, reading, trimmedLines(reading.oldText));
    const whole = trimmed.length > 0 ? trimmed : await fitWithoutBlankLines(file, reading);
    const inside = reading.isWholeLines === true ? [] : fitCharacters(file, reading);
    const found = [...whole, ...inside.filter((fit) => !whole.some((other) => overlaps(fit, other)))];
    // Two places of one reading stay two, also if they overlap.
    const own = new Set<TextMatch>();
    for (const candidate of found) {
      const index = places.findIndex((place) => !own.has(place) && overlaps(place, candidate));
      const place = places[index];
      const { start, end } = candidate;
      const wider = place === undefined ? { start, end, candidates: [candidate] } : join(place, candidate);
      if (place === undefined) own.add(wider);
      places.splice(index === -1 ? places.length : index, 1, wider);
    }
  }
  return places.toSorted((left, right) => left.start - right.start);
}

function join(place: TextMatch, candidate: Candidate): TextMatch {
  return {
    start: Math.min(place.start, candidate.start),
    end: Math.max(place.end, candidate.end),
    candidates: [...place.candidates, candidate],
  };
}

/** What to write at a place. Readings that fit it without other indentation count first; they must agree. */
export async function writeAt(text: string, { start, end, candidates }: TextMatch): Promise<Fit> {
  const exact = candidates.filter(({ isExact }) => isExact);
  const counting = exact.length > 0 ? exact : candidates;
  const results = new Set<string | undefined>();
  for (const candidate of counting) {
    const replacement = await candidate.write();
    results.add(
      replacement === undefined
        ? undefined
        : text.slice(start, candidate.start) + replacement + text.slice(candidate.end, end),
    );
  }
  const [replacement] = results;
  return { start, end, replacement: results.size === 1 ? replacement : undefined };
}

function overlaps(left: Span, right: Span): boolean {
  return left.start < right.end && right.start < left.end;
}

type Span = Pick<TextMatch, 'start' | 'end'>;

function fitCharacters(file: SearchedFile, { oldText, newText }: TextReading): Candidate[] {
  const needle = plainCharacters(withLineEnds(oldText, '\n'));
  if (!/[\p{L}\p{N}]/u.test(needle)) return [];
  const found = findAll(file.plain, needle, 0).slice(0, MAX_PLACES);
  return found.map(({ start, end }) => {
    const inside = file.text.slice(start, end);
    const lineEnd = mainLineEnd(inside.includes('\n') ? inside : file.text);
    const plain = newText === undefined ? undefined : withoutStrangers(newText, oldText, inside);
    const own = plain === undefined ? undefined : withFileCharacters(plain, oldText, inside);
    const replacement = own === undefined ? undefined : withLineEnds(own, lineEnd);
    return { start, end, isExact: true, write: async () => replacement };
  });
}

function withFileCharacters(newText: string, oldText: string, inFile: string): string {
  const [fresh, old, kept] = [newText, oldText, inFile].map((text) => withLineEnds(text, '\n').split('\n'));
  if (fresh === undefined || fresh.length !== old?.length || old.length !== kept?.length) return newText;
  return fresh
    .map((line, at) => withLookAlikesOf(line, { oldLine: old[at] ?? '', fileLine: kept[at] ?? '' }))
    .join('\n');
}

/** Where a text occurs from a position on. Its line ends are LF, and match CRLF too. */
export function findAll(text: string, needle: string, from: number): readonly Span[] {
  const rest = text.slice(from);
  const searched = needle.includes('\n') ? rest.replaceAll('\r\n', '\n') : rest;
  const found: Span[] = [];
  let [position, searchedPosition] = [0, 0];
  const toPosition = (wanted: number): number => {
    if (searched.length === rest.length) return from + wanted;
    for (; searchedPosition < wanted; searchedPosition += 1) position += rest.startsWith('\r\n', position) ? 2 : 1;
    return from + position;
  };
  for (let at = searched.indexOf(needle); at !== -1; at = searched.indexOf(needle, at + needle.length)) {
    found.push({ start: toPosition(at), end: toPosition(at + needle.length) });
  }
  return found;
}

function fitLines(file: SearchedFile, { newText, line }: TextReading, wanted: TrimmedLines): Candidate[] {
  const { lines, keys: known } = file;
  const keys = wanted.lines.map(lineKey);
  if (keys.length === 0 || !keys.some((key) => key !== '')) return [];
  const fits: Candidate[] = [];
  for (let first = 0; first + keys.length <= lines.length && fits.length < MAX_PLACES; first += 1) {
    if (line !== undefined && line !== first + 1 - wanted.blanksBefore) continue;
    if (!keys.every((key, index) => known[first + index] === key)) continue;
    const found = lines.slice(first, first + keys.length);
    fits.push(candidateOf({ found, old: wanted, newText, file: lines }));
  }
  return fits;
}

function candidateOf({ newText, ...rest }: Omit<LinesToWrite, 'newText'> & Pick<TextReading, 'newText'>): Candidate {
  const { found, old } = rest;
  const [head, last] = [found[0], found.at(-1)];
  const inFile = found.map(({ text }) => text).join('\n');
  const plain = newText === undefined ? undefined : withoutStrangers(newText, old.lines.join('\n'), inFile);
  return {
    start: head?.start ?? 0,
    end: last === undefined ? 0 : last.start + last.text.length + last.lineEnd.length,
    isExact: found.every(({ text }, index) => text.trimEnd() === old.lines[index]?.trimEnd()),
    write: async () => (plain === undefined ? undefined : newLines({ ...rest, newText: plain })),
  };
}

async function fitWithoutBlankLines(file: SearchedFile, { oldText, newText, line }: TextReading): Promise<Candidate[]> {
  const old = trimmedLines(oldText);
  const keys = old.lines.map(lineKey).filter((key) => key !== '');
  if (keys.length < 2 || line !== undefined) return [];
  const written = file.keys.flatMap((key, index) => (key === '' ? [] : [index]));
  const fits: Candidate[] = [];
  for (let first = 0; first + keys.length <= written.length && fits.length < MAX_PLACES; first += 1) {
    if (!keys.every((key, index) => file.keys[written[first + index] ?? 0] === key)) continue;
    const found = file.lines.slice(written[first], (written[first + keys.length - 1] ?? 0) + 1);
    const blanks = found.map(({ text }) => lineKey(text) === '');
    const aligned = await alignBlankLines(old.lines, withoutOuterBlanks(splitNew(newText ?? '', old), old), blanks);
    const lines = aligned?.oldLines ?? old.lines;
    const rest = { found, old: { lines, blanksBefore: 0, blanksAfter: 0, endsLine: true }, file: file.lines };
    const isUnclear = newText === undefined || aligned === undefined;
    fits.push(candidateOf({ ...rest, newText: isUnclear ? undefined : aligned.newLines.map(withEnd).join('') }));
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
  const fileLines = found.map(({ text }) => text);
  const isPlain = !fileLines.some((line) => /^[ \t]*[^\S \t]/.test(line));
  const inner = withoutOuterBlanks(splitNew(newText, old), old);
  const carried = await carryIndentation({
    oldLines: isPlain ? old.lines.map(withPlainIndent) : old.lines,
    fileLines,
    newLines: isPlain ? inner.map(withPlainIndent) : inner,
    file: file.map(({ text }) => text),
  });
  if (carried === undefined) return undefined;
  const lineEnd = mainLineEnd(found.map((line) => line.text + line.lineEnd).join(''));
  const majority = found.some((line) => line.lineEnd !== '') ? lineEnd : mainLineEnd(file.map(joined).join(''));
  const lastEnd = found.at(-1)?.lineEnd ?? '';
  if (carried.length === 0) return old.endsLine ? '' : lastEnd;
  return carried.join(majority) + lastEnd;
}

function splitNew(newText: string, { endsLine: oldEndsLine }: TrimmedLines): readonly string[] {
  const fresh = withLineEnds(newText, '\n');
  if (fresh === '' && oldEndsLine) return [];
  return (oldEndsLine && fresh.endsWith('\n') ? fresh.slice(0, -1) : fresh).split('\n');
}

/** Without look-alikes of blanks in the indentation. */
function withPlainIndent(line: string): string {
  return line.replace(/^\s+/, plainCharacters);
}

function withEnd(line: string): string {
  return `${line}\n`;
}

function joined({ text, lineEnd }: FileLine): string {
  return text + lineEnd;
}

interface TrimmedLines {
  readonly lines: readonly string[];
  readonly blanksBefore: number;
  readonly blanksAfter: number;
  readonly endsLine: boolean;
}

function splitOld(text: string): TrimmedLines {
  const plain = withLineEnds(text, '\n');
  const endsLine = plain.endsWith('\n');
  const lines = (endsLine ? plain.slice(0, -1) : plain).split('\n');
  return { lines, blanksBefore: 0, blanksAfter: 0, endsLine };
}

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
