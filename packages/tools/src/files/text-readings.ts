export interface TextReplacement {
  readonly oldText: string;
  readonly newText: string;
}

/** `newText` is missing if it is written in a different way than the old text. */
export interface TextReading {
  readonly oldText: string;
  readonly newText: string | undefined;
  readonly isWholeLines?: true;
  /** It may only fit at this line, counted from 1. */
  readonly line?: number;
}

/**
 * What the model may have meant: the texts as they are, without a code fence, line numbers or marks of a diff, with one
 * level of escapes less, or with one more.
 */
export function readings(written: TextReplacement, file: string): readonly TextReading[] {
  const forms = FORMS.filter((form) => file.normalize(form) === file);
  const [form] = forms;
  const { oldText, newText } = written;
  const texts = forms.length === 1 && form !== undefined ? normalized(written, form) : { oldText, newText };
  const bases = [texts, withoutFence(texts, file), withoutByteOrderMark(texts)].filter((base) => base !== undefined);
  const others = bases.flatMap((base) => [
    base,
    withoutLineNumbers(base, NUMBERED),
    withoutLineNumbers(base, NUMBERED_WITH_BLANK),
    withoutLineNumbers(base, NUMBERED_BY_BLANK),
    withoutMarks(base),
    ...ESCAPES.map((escapes) => decoded(base, escapes)),
    ...['"', "'", `"'`].map((quotes) => escapedInStrings(base, quotes)),
    withMoreBackslashes(base),
    ...(forms.length === 0 ? FORMS.map((other) => normalized(base, other)) : []),
  ]);
  const unique = new Map<string, TextReading>([[texts.oldText, texts]]);
  for (const reading of others) {
    if (reading === undefined) continue;
    const same = unique.get(reading.oldText);
    const isSame = same === undefined || same.newText === reading.newText;
    unique.set(reading.oldText, isSame ? reading : { ...reading, newText: undefined });
  }
  return [...unique.values()];
}

function withoutByteOrderMark({ oldText, newText }: TextReplacement): TextReplacement | undefined {
  if (!oldText.startsWith('\ufeff')) return undefined;
  return { oldText: oldText.slice(1), newText: newText.replace(/^\ufeff/, '') };
}

export const FENCE = /^\s*(?:`{3}|~{3})/m;
export const FENCED = /^\s*(`{3,}|~{3,})[^\n`]*\n([\s\S]*?)\n?[ \t]*\1[ \t]*\n?$/;

/** Only around the old text if the file has no fences. */
function withoutFence({ oldText, newText }: TextReplacement, file: string): TextReplacement | undefined {
  const old = FENCED.exec(oldText)?.[2];
  if (old === undefined || old.trim() === '') return undefined;
  const fenced = FENCED.exec(newText)?.[2];
  if (fenced !== undefined) return { oldText: `${old}\n`, newText: fenced === '' ? '' : `${fenced}\n` };
  if (FENCE.test(newText) || (newText !== '' && FENCE.test(file))) return undefined;
  return { oldText: `${old}\n`, newText: newText === '' || newText.endsWith('\n') ? newText : `${newText}\n` };
}

/** Line numbers as this program and others show them: `12→text`, `12|text`, `12: text`, `L12: text`, `[12] text`. */
const NUMBERED = /^[ \t]*[L[]?(\d+)(→|\t| ?[|\u2502]|[:\]-]| {2}|(?= *$))/;
const NUMBERED_WITH_BLANK = /^[ \t]*[L[]?(\d+)(→ | ?[|\u2502] |[:\]-] |[ \t|\u2502:\]→-]*$)/;
const NUMBERED_BY_BLANK = /^[ \t]*[L[]?(\d+)( |(?=$))/;

const CERTAIN_SEPARATORS: ReadonlySet<string> = new Set(['→', '\t', '|', '\u2502']);

function withoutLineNumbers({ oldText, newText }: TextReplacement, pattern: RegExp): TextReading | undefined {
  const lines = oldText.replace(/\r?\n$/, '').split('\n');
  const marks = lines.map((line) => pattern.exec(line));
  const first = Number(marks[0]?.[1]);
  const separators = new Set(marks.map((mark) => separatorOf(mark)).filter((separator) => separator !== ''));
  // Results of searches separate lines with a match and lines around them differently.
  const isOne = separators.size <= 1 || [...separators].every((separator) => separator === ':' || separator === '-');
  if (!isOne || !marks.every((mark, index) => Number(mark?.[1]) === first + index)) return undefined;
  const strip = (text: string) =>
    text
      .split('\n')
      .map((line) => line.replace(pattern, ''))
      .join('\n');
  const fresh = newText.replace(/\r?\n$/, '').split('\n');
  const numbered = fresh.filter((line) => {
    const mark = pattern.exec(line);
    return mark !== null && (separatorOf(mark) === '' || separators.has(separatorOf(mark)));
  });
  const isMixed = numbered.length > 0 && numbered.length < fresh.filter((line) => line.trim() !== '').length;
  const stripped = numbered.length === 0 ? newText : strip(newText);
  // The text itself may begin with a number.
  const isCertain = [...separators].every((separator) => CERTAIN_SEPARATORS.has(separator)) && separators.size > 0;
  const reading = { oldText: strip(oldText), newText: isMixed ? undefined : stripped, isWholeLines: true } as const;
  return isCertain ? reading : { ...reading, line: first };
}

function separatorOf(mark: RegExpExecArray | null): string {
  return (mark?.[2] ?? '').replaceAll(' ', '');
}

function withoutMarks({ oldText, newText }: TextReplacement): TextReading | undefined {
  const old = withoutMark(oldText, '-');
  if (old === undefined || !/^-/m.test(oldText)) return undefined;
  return { oldText: old, newText: newText.trim() === '' ? '' : withoutMark(newText, '+'), isWholeLines: true };
}

function withoutMark(text: string, mark: string): string | undefined {
  const lines = text.split('\n');
  if (!lines.every((line) => line.trim() === '' || line.startsWith(mark) || line.startsWith(' '))) return undefined;
  return lines.map((line) => line.slice(1)).join('\n');
}

const FORMS = ['NFC', 'NFD'] as const;

/** Unchanged if the old text has this form: the new text may differ on purpose. */
function normalized({ oldText, newText }: TextReplacement, form: (typeof FORMS)[number]): TextReplacement {
  const isKept = oldText.normalize(form) === oldText;
  return isKept ? { oldText, newText } : { oldText: oldText.normalize(form), newText: newText.normalize(form) };
}

const MAX_SCANNED_LENGTH = 100_000;

function escapedInStrings({ oldText, newText }: TextReplacement, quotes: string): TextReading | undefined {
  if (oldText.length > MAX_SCANNED_LENGTH) return undefined;
  const old = escapeInStrings(oldText, quotes);
  if (old === undefined || old.count === 0) return undefined;
  const fresh = escapeInStrings(newText, quotes);
  // More of them may be quotation marks of a text.
  const isClear = fresh !== undefined && fresh.count <= old.count;
  return { oldText: old.text, newText: isClear ? fresh.text : undefined };
}

const WRITTEN_CONTROLS: ReadonlyMap<string, string> = new Map([
  ['\n', '\\n'],
  ['\r', '\\r'],
  ['\t', '\\t'],
]);

function escapeInStrings(text: string, quotes: string): { readonly text: string; readonly count: number } | undefined {
  let [written, open, count, isChanged] = ['', '', 0, false];
  for (let at = 0; at < text.length; at += 1) {
    const character = text[at] ?? '';
    const triple = character.repeat(3);
    if (
      open.length === 3
        ? text.startsWith(open, at)
        : open === '' && quotes.includes(character) && text.startsWith(triple, at)
    ) {
      open = open === '' ? triple : '';
      written += triple;
      at += 2;
    } else if (character === '\\') {
      written += text.slice(at, at + 2);
      at += 1;
    } else if (character === open || (open === '' && quotes.includes(character))) {
      if (open !== '' && isChanged) count += 1;
      [open, isChanged] = [open === '' ? character : '', false];
      written += character;
    } else {
      const control = open.length === 1 ? WRITTEN_CONTROLS.get(character) : undefined;
      isChanged ||= control !== undefined;
      written += control ?? character;
    }
  }
  return open === '' ? { text: written, count } : undefined;
}

/** Backslashes that are halved. The new text must have the same escapes, so that all of it is halved. */
function withMoreBackslashes({ oldText, newText }: TextReplacement): TextReading | undefined {
  const escapesIn = (text: string) => text.match(/\\[\s\S]?/g) ?? [];
  const known = new Set(escapesIn(oldText));
  if (known.size === 0) return undefined;
  const twice = (text: string) => text.replaceAll('\\', '\\\\');
  const isClear = escapesIn(newText).every((escape) => known.has(escape));
  return { oldText: twice(oldText), newText: isClear ? twice(newText) : undefined };
}

interface Escapes {
  readonly pattern: RegExp;
  readonly decode: (escape: string) => string;
}

const CONTROLS: ReadonlyMap<string, string> = new Map([
  ['n', '\n'],
  ['r', '\r'],
  ['t', '\t'],
]);
const ENTITIES: ReadonlyMap<string, string> = new Map([
  ['&lt;', '<'],
  ['&gt;', '>'],
  ['&amp;', '&'],
  ['&quot;', '"'],
  ['&apos;', "'"],
]);

function decodeEscape(escape: string): string {
  const written = escape.slice(1);
  const code = /^u([\da-f]+)$/i.exec(written)?.[1];
  if (code !== undefined) return String.fromCharCode(Number.parseInt(code, 16));
  return CONTROLS.get(written) ?? written;
}

function decodeEntity(entity: string): string {
  const [, hex, decimal] = /^&#(?:x([\da-f]{1,5})|(\d{1,6}));$/i.exec(entity) ?? [];
  if (hex !== undefined) return String.fromCodePoint(Number.parseInt(hex, 16));
  return decimal === undefined ? (ENTITIES.get(entity) ?? entity) : String.fromCodePoint(Number(decimal));
}

const ALL_ESCAPES = /\\(?:[\\nrt"'`$]|u[\da-fA-F]{4})/g;

const ESCAPES: readonly Escapes[] = [
  { pattern: /(?<!\\)\\["'`$]/g, decode: (escape) => escape.slice(1) },
  { pattern: /(?<!\\)\\\//g, decode: () => '/' },
  { pattern: ALL_ESCAPES, decode: decodeEscape },
  { pattern: /&(?:lt|gt|amp|quot|apos|#\d{1,6}|#x[\da-fA-F]{1,5});/g, decode: decodeEntity },
];

function decoded({ oldText, newText }: TextReplacement, escapes: Escapes): TextReading | undefined {
  const { pattern, decode } = escapes;
  const plain = oldText.replaceAll(pattern, decode);
  if (plain === oldText) return undefined;
  // Only the reading without any escapes can be meant.
  if (pattern !== ALL_ESCAPES && hasLineEndOutsideStrings(newText.replaceAll(pattern, decode))) return undefined;
  const isUnclear = isPartlyEscaped(newText, escapes) || breaksString(newText, escapes);
  return { oldText: plain, newText: isUnclear ? undefined : newText.replaceAll(pattern, decode) };
}

export const STRINGS = /(["'`])(?:\\.|(?!\1)[^\\\n])*\1/g;

function hasLineEndOutsideStrings(text: string): boolean {
  return /[\w;{}:,)\]>"'`]\\n/.test(text.replaceAll(STRINGS, '""'));
}

function isPartlyEscaped(text: string, { pattern, decode }: Escapes): boolean {
  const escaped = new Set((text.match(pattern) ?? []).map(decode));
  const rest = text.replaceAll(pattern, '');
  return [...escaped].some((character) => rest.includes(character));
}

function breaksString(text: string, { pattern, decode }: Escapes): boolean {
  let isOpen = false;
  let end = 0;
  for (const { 0: escape, index } of text.matchAll(pattern)) {
    const between = text.slice(end, index);
    for (const character of between) {
      if (character === '"') isOpen = !isOpen;
      if (character === '\n') isOpen = false;
    }
    end = index + escape.length;
    const character = decode(escape);
    if (character === '"') isOpen = !isOpen;
    if (/[\n\r\t]/.test(character) && (isOpen || /^\\?['`"]/.test(text.slice(end)))) return true;
    if (character === '\n') isOpen = false;
  }
  return false;
}
