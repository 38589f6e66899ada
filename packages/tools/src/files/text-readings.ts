export interface TextReplacement {
  readonly oldText: string;
  readonly newText: string;
}

/** `newText` is missing if it is written in a different way than the old text. */
export interface TextReading {
  readonly oldText: string;
  readonly newText: string | undefined;
  /** Whether it may only fit whole lines. */
  readonly isWholeLines?: true;
}

/** What the model may have meant: the texts as they are, without line numbers, or with one level of escapes less. */
export function readings(texts: TextReplacement): readonly TextReading[] {
  const others = [withoutLineNumbers(texts), ...ESCAPES.map((escapes) => decoded(texts, escapes))];
  const unique = new Map<string, TextReading>([[texts.oldText, texts]]);
  for (const reading of others) {
    if (reading === undefined) continue;
    const same = unique.get(reading.oldText);
    const isSame = same === undefined || same.newText === reading.newText;
    unique.set(reading.oldText, isSame ? reading : { ...reading, newText: undefined });
  }
  return [...unique.values()];
}

/** As files are shown by this program and by others: `12→text`, `12|text`, `12: text`, `L12: text`. */
const NUMBERED = /^[ \t]*L?(\d+)(→|\t|\||:)/;

function withoutLineNumbers({ oldText, newText }: TextReplacement): TextReading | undefined {
  const lines = oldText.replace(/\r?\n$/, '').split('\n');
  const marks = lines.map((line) => NUMBERED.exec(line));
  const first = Number(marks[0]?.[1]);
  const separator = marks[0]?.[2];
  const isNumbered = marks.every((mark, index) => Number(mark?.[1]) === first + index && mark?.[2] === separator);
  if (!isNumbered) return undefined;
  const strip = (text: string) =>
    text
      .split('\n')
      .map((line) => line.replace(NUMBERED, ''))
      .join('\n');
  const fresh = newText.replace(/\r?\n$/, '').split('\n');
  const numbered = fresh.filter((line) => NUMBERED.exec(line)?.[2] === separator);
  const isMixed = numbered.length > 0 && numbered.length < fresh.filter((line) => line.trim() !== '').length;
  const stripped = numbered.length === 0 ? newText : strip(newText);
  return { oldText: strip(oldText), newText: isMixed ? undefined : stripped, isWholeLines: true };
}

interface Escapes {
  readonly pattern: RegExp;
  readonly decode: (escape: string) => string;
}

const CONTROLS: Readonly<Record<string, string>> = { n: '\n', r: '\r', t: '\t' };
const ENTITIES: Readonly<Record<string, string>> = {
  '&lt;': '<',
  '&gt;': '>',
  '&amp;': '&',
  '&quot;': '"',
  '&#39;': "'",
  '&apos;': "'",
};

const ESCAPES: readonly Escapes[] = [
  { pattern: /\\["'`]/g, decode: (escape) => escape.slice(1) },
  { pattern: /\\[\\nrt"'`]/g, decode: (escape) => CONTROLS[escape.slice(1)] ?? escape.slice(1) },
  { pattern: /&(?:lt|gt|amp|quot|apos|#39);/g, decode: (escape) => ENTITIES[escape] ?? escape },
];

function decoded({ oldText, newText }: TextReplacement, escapes: Escapes): TextReading | undefined {
  const { pattern, decode } = escapes;
  const plain = oldText.replaceAll(pattern, decode);
  if (plain === oldText) return undefined;
  const isUnclear = isPartlyEscaped(newText, escapes) || breaksString(newText, escapes);
  return { oldText: plain, newText: isUnclear ? undefined : newText.replaceAll(pattern, decode) };
}

/** Whether a character is escaped in one place and bare in another. */
function isPartlyEscaped(text: string, { pattern, decode }: Escapes): boolean {
  const escaped = new Set((text.match(pattern) ?? []).map(decode));
  const rest = text.replaceAll(pattern, '');
  return [...escaped].some((character) => rest.includes(character));
}

/** Whether a decoded line end or tab would be inside a string, where the escape was meant. */
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
