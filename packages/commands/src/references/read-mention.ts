import { isBlank, isPartOfWord, isUsualInPath, mayFollowPath, unescapePath } from './path-characters.js';

export interface MentionReading {
  /** Unescaped; not empty. */
  readonly path: string;
  readonly end: number;
}

/** The file system decides which reading counts. */
export interface Mention {
  readonly start: number;
  /** Longest first; the longest that exists wins. */
  readonly readings: readonly MentionReading[];
  /** Used if no reading exists; also the glob pattern. */
  readonly guess: MentionReading;
}

const MAX_RUN_LENGTH = 1024;
const MAX_READINGS = 256;
const TRAILING = /[.,;:!?]/;
const CLOSING: ReadonlyMap<string, string> = new Map([
  [']', '['],
  ['}', '{'],
]);

/** The next `@` from `from` on that is not escaped or part of a word, address or URL. Offsets are UTF-16 units. */
export function nextMention(text: string, from = 0): Mention | undefined {
  for (let start = text.indexOf('@', from); start !== -1; start = text.indexOf('@', start + 1)) {
    if (!isMentionSign(text, start)) continue;
    const mention = readQuoted(text, start) ?? readBare(text, start);
    if (mention !== undefined) return mention;
  }
  return undefined;
}

export function isMentionSign(text: string, at: number): boolean {
  const before = characterBefore(text, at);
  if (before === '@' || text[at + 1] === '@') return false;
  return before === '\\' ? !isEscaped(text, at) : !isPartOfWord(before) && before !== '/';
}

export function isEscaped(text: string, at: number): boolean {
  let slashes = 0;
  while (text[at - slashes - 1] === '\\') slashes += 1;
  return slashes % 2 === 1;
}

function readQuoted(text: string, start: number): Mention | undefined {
  const [whole, inside] = /^@"((?:[^"\\\n]|\\.)*)"/u.exec(text.slice(start, start + MAX_RUN_LENGTH)) ?? [];
  const path = inside?.replace(/\\(["\\])/g, '$1').trim();
  if (whole === undefined || path === undefined || path === '') return undefined;
  const guess = { path, end: start + whole.length };
  return { start, readings: [guess], guess };
}

function readBare(text: string, start: number): Mention | undefined {
  const characters = readRun(text, start + 1);
  const toReading = ({ end }: PathCharacter): MentionReading => ({
    path: unescapePath(text.slice(start + 1, end)),
    end,
  });
  const isMoreThanDots = (index: number) => characters.slice(0, index + 1).some((one) => one.text !== '.');
  const ends = characters
    // `@.` is a folder, but `@...` is not `@.` followed by dots.
    .filter((_, index) => mayEndAfter(characters, index) && (index === characters.length - 1 || isMoreThanDots(index)))
    .slice(0, MAX_READINGS);
  const guess = likelyEnd(characters) ?? ends[0];
  if (guess === undefined) return undefined;
  return { start, readings: ends.toReversed().map(toReading), guess: toReading(guess) };
}

/** A character, or an escaped one with its backslash. */
interface PathCharacter {
  readonly text: string;
  readonly isLiteral: boolean;
  readonly end: number;
}

function readRun(text: string, from: number): PathCharacter[] {
  const run: PathCharacter[] = [];
  let end = from;
  const characters = text.slice(from, from + MAX_RUN_LENGTH)[Symbol.iterator]();
  for (const character of characters) {
    end += character.length;
    const next = text[end];
    if (character === '\\' && next !== undefined && unescapePath(`\\${next}`) === next) {
      end += 1;
      characters.next();
      run.push({ text: next, isLiteral: true, end });
    } else if (isBlank(character)) break;
    else run.push({ text: character, isLiteral: false, end });
  }
  return run;
}

/** Whether it is the end, or followed by trailing dots or a character that cannot continue a name. */
function mayEndAfter(run: readonly PathCharacter[], index: number): boolean {
  const next = run[index + 1];
  if (next === undefined) return true;
  if (next.isLiteral) return false;
  if (mayFollowPath(next.text)) return true;
  if (next.text !== '.') return false;
  const behindDots = run.slice(index + 1).find(({ text, isLiteral }) => isLiteral || text !== '.');
  return behindDots === undefined || (!behindDots.isLiteral && mayFollowPath(behindDots.text));
}

/** The end of the usual path characters, without trailing punctuation. */
function likelyEnd(run: readonly PathCharacter[]): PathCharacter | undefined {
  const counts = new Map<string, number>();
  const countOf = (character: string | undefined) => counts.get(character ?? '') ?? 0;
  let length = 0;
  for (const { text, isLiteral } of run) {
    const isInBraces = countOf('{') > countOf('}');
    if (!isLiteral && !isUsualInPath(text) && !(text === ',' && isInBraces)) break;
    if (!isLiteral) counts.set(text, countOf(text) + 1);
    length += 1;
  }
  for (; length > 0; length -= 1) {
    const { text, isLiteral } = run[length - 1] as PathCharacter;
    if (isLiteral || isFolderDots(run, length)) break;
    const opening = CLOSING.get(text);
    const isOver = opening === undefined ? TRAILING.test(text) : countOf(opening) < countOf(text);
    if (!isOver) break;
    counts.set(text, countOf(text) - 1);
  }
  return run[length - 1];
}

function isFolderDots(run: readonly PathCharacter[], length: number): boolean {
  return /(?:^|\/)\.{1,2}$/.test(
    run
      .slice(Math.max(length - 3, 0), length)
      .map(({ text }) => text)
      .join(''),
  );
}

function characterBefore(text: string, at: number): string {
  const low = text.codePointAt(at - 2);
  return low !== undefined && low > 0xffff ? String.fromCodePoint(low) : (text[at - 1] ?? '');
}
