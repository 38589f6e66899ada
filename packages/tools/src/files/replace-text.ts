import { AgentError } from '@qwen/protocol';
import { describeNearest } from './describe-nearest.js';
import { type Fit, findAll, fitText, type TextMatch, writeAt } from './fit-text.js';
import { mainLineEnd, withLineEnds } from './text-encoding.js';
import type { TextReplacement } from './text-readings.js';

export interface TextChange extends TextReplacement {
  readonly replaceAll?: boolean | undefined;
  /** Default 1. */
  readonly expected?: number | undefined;
  /** Only from this position of the text. */
  readonly from?: number;
  /** If several places match, use the one that starts at this line, counted from 1. */
  readonly line?: number | undefined;
  /** If several places match, use the first one after this position. */
  readonly after?: number | undefined;
  /** If several places match, use the one at the end of the text. */
  readonly isAtEnd?: boolean;
}

/** For messages. */
export interface ChangeNames {
  readonly file: string;
  readonly old: string;
  readonly isPrivate: boolean;
}

export interface ReplacedText {
  readonly text: string;
  readonly count: number;
  readonly firstLine: number;
  readonly end: number;
  readonly isLoose: boolean;
}

/**
 * Replaces a text where it occurs, or in the only place where it fits. Inserted lines get the line ends of the place.
 * Throws `tool_failed` with the nearest lines.
 */
export async function replaceText(text: string, change: TextChange, names: ChangeNames): Promise<ReplacedText> {
  const { oldText, newText } = change;
  const plain = text.includes(oldText)
    ? change
    : { ...change, oldText: withFeeds(oldText), newText: withFeeds(newText) };
  if (withFeeds(text) === text) return replaceIn(text, plain, names);
  const made = await replaceIn(
    withFeeds(text),
    { ...plain, oldText: withFeeds(oldText), newText: withFeeds(newText) },
    names,
  );
  return { ...made, text: made.text.replaceAll('\n', '\r') };
}

function withFeeds(text: string): string {
  return text.includes('\n') ? text : text.replaceAll('\r', '\n');
}

async function replaceIn(text: string, change: TextChange, names: ChangeNames): Promise<ReplacedText> {
  const { replaceAll, expected, from = 0 } = change;
  const exact = occurrences(text, change);
  const [first] = exact;
  if (first !== undefined) {
    const chosen = exact.length === 1 ? exact : chooseNamed(text, exact, change);
    const found = replaceAll === true || expected !== undefined || chosen.length !== 1 ? exact : chosen;
    const isWanted = expected === undefined ? replaceAll === true || found.length === 1 : found.length === expected;
    if (!isWanted) throw ambiguous(text, found, { names, expected: expected ?? 1 });
    const meant = await asMeant(text, found, { change, names });
    return { ...applied(text, meant), isLoose: meant.some((fit, index) => fit !== found[index]) };
  }
  const fits = (await fitText(text, change)).filter(({ start }) => start >= from);
  const atLine = fits.length === 1 ? fits : fits.filter(({ start }) => isAtLine(text, start, change.line));
  const [place] = atLine;
  if (place === undefined || atLine.length > 1 || (expected ?? 1) > 1) {
    if (fits.length > 0) throw ambiguous(text, fits, { names, expected: expected ?? 1 });
    throw notFound(text, change, names);
  }
  const fit = await writeAt(text, place);
  if (fit.replacement === undefined) throw unclear(text, fit, names);
  return { ...applied(text, [fit]), isLoose: true };
}

/** LF and CRLF match each other. */
function occurrences(text: string, { oldText, newText, from = 0 }: TextChange): readonly Fit[] {
  const fileEnd = mainLineEnd(text);
  const deletesLines = newText === '' && /^\S[^]*\n$/.test(oldText);
  return findAll(text, withLineEnds(oldText, '\n'), from).map(({ start, end }) => {
    const found = text.slice(start, end);
    // The indentation of a deleted line would be added to that of the next one.
    if (deletesLines) return { start: startOfIndent(text, start), end, replacement: '' };
    const lineEnd = found.includes('\n') ? mainLineEnd(found) : fileEnd;
    return { start, end, replacement: withLineEnds(newText, lineEnd) };
  });
}

async function asMeant(
  text: string,
  found: readonly Fit[],
  { change, names }: { readonly change: TextChange; readonly names: ChangeNames },
): Promise<readonly Fit[]> {
  const { indentMeaning } = await import('./indent-of-line.js');
  const { oldText, newText } = change;
  let places: readonly TextMatch[] | undefined;
  const meant: Fit[] = [];
  for (const fit of found) {
    const meaning = indentMeaning(text, { ...fit, oldText, newText });
    if (meaning === 'literal') meant.push(fit);
    else if (meaning === 'repeated')
      meant.push({ ...fit, replacement: fit.replacement?.slice(indentBefore(text, fit)) });
    else {
      places ??= await fitText(text, change);
      const place = places.find(({ start, end }) => start <= fit.start && fit.end <= end);
      const written = place === undefined ? undefined : await writeAt(text, place);
      if (written?.replacement === undefined) throw unclear(text, fit, names);
      meant.push(written);
    }
  }
  return meant;
}

function indentBefore(text: string, { start }: Fit): number {
  return start - startOfIndent(text, start);
}

function startOfIndent(text: string, position: number): number {
  let start = position;
  while (start > 0 && /[ \t]/.test(text[start - 1] ?? '')) start -= 1;
  return start === 0 || text[start - 1] === '\n' ? start : position;
}

function applied(text: string, fits: readonly Fit[]): Omit<ReplacedText, 'isLoose'> {
  const pieces: string[] = [];
  let at = 0;
  for (const { start, end, replacement = '' } of fits) {
    pieces.push(text.slice(at, start), replacement);
    at = end;
  }
  pieces.push(text.slice(at));
  const [first] = fits;
  const start = first?.start ?? 0;
  const end = start + (first?.replacement?.length ?? 0);
  return { text: pieces.join(''), count: fits.length, firstLine: lineAt(text, start), end };
}

function chooseNamed(text: string, fits: readonly Fit[], { line, after, isAtEnd }: TextChange): readonly Fit[] {
  const last = isAtEnd === true ? fits.at(-1) : undefined;
  if (last !== undefined && text.slice(last.end).trim() === '') return [last];
  const next = after === undefined ? undefined : fits.find(({ start }) => start >= after);
  return next === undefined ? fits.filter(({ start }) => isAtLine(text, start, line)) : [next];
}

function isAtLine(text: string, start: number, line: number | undefined): boolean {
  return line !== undefined && lineAt(text, start) === line;
}

function lineAt(text: string, position: number): number {
  let line = 1;
  for (let at = text.indexOf('\n'); at !== -1 && at < position; at = text.indexOf('\n', at + 1)) line += 1;
  return line;
}

const MAX_PLACES = 8;

interface Expectation {
  readonly names: ChangeNames;
  readonly expected: number;
}

function ambiguous(text: string, fits: readonly Pick<Fit, 'start'>[], { names, expected }: Expectation): AgentError {
  const { file, old } = names;
  const lines = fits.slice(0, MAX_PLACES).map(({ start }) => lineAt(text, start));
  const more = fits.length > MAX_PLACES ? ' and more' : '';
  const places = fits.length === 1 ? `line ${lines.join()}` : `lines ${lines.join(', ')}${more}`;
  return new AgentError(
    'tool_failed',
    `${old} occurs ${fits.length} times in ${file} (${places}), expected ${expected}. Add context or set replace_all.`,
    { data: { found: fits.length, expected } },
  );
}

function unclear(text: string, { start }: Fit, { file, old }: ChangeNames): AgentError {
  return new AgentError(
    'tool_failed',
    `${old} fits line ${lineAt(text, start)} of ${file} only with another indentation or without escapes, and what the new text means there is unclear. Read these lines and send both texts exactly as in the file.`,
  );
}

function notFound(text: string, { oldText, newText }: TextReplacement, names: ChangeNames): AgentError {
  const { file, old, isPrivate } = names;
  const message = `${old} was not found in ${file}.`;
  if (isPrivate) return new AgentError('tool_failed', `${message} It must match exactly, including whitespace.`);
  const done = newText.trim().length > 3 ? text.indexOf(withLineEnds(newText, mainLineEnd(text))) : -1;
  const hint = done === -1 ? '' : ` The new text is already in the file, at line ${lineAt(text, done)}.`;
  return new AgentError('tool_failed', `${message}${hint} ${describeNearest(text, oldText)}`);
}
