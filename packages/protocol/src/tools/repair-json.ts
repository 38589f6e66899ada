import { parseJson } from '../json-object.js';
/**
 * Reads JSON that is complete but not quite valid: trailing commas, raw line ends, single quotes, Python's constants,
 * unquoted names, closing brackets too many, comments, texts in triple quotes, code fences, JSON in a JSON string.
 * Undefined if anything is missing at its end or if it could mean two things.
 */
export function repairJson(text: string): unknown {
  const inner = withoutEscapes(
    withoutFence(
      text
        .replace(/^[\ufeff\u200b]+/, '')
        // Some endpoints begin with an empty object, then send the arguments.
        .replace(/^(?:\{\}|json)\s*(?=\{)/, '')
        .replace(/\0+$/, '')
        .trim(),
    ),
  );
  const reader = new LooseReader(inner);
  try {
    const value = reader.value();
    if (!isHarmlessRest(inner.slice(reader.position), value)) return undefined;
    return typeof value === 'string' && /^\s*[[{]/.test(value) ? parseOrRepairJson(value) : value;
  } catch (error) {
    if (error instanceof NotJson) return undefined;
    throw error;
  }
}

/** All of it as in a JSON string, without its quotes. */
function withoutEscapes(text: string): string {
  const value = /^\{\s*\\"/.test(text) ? parseJson(`"${text}"`) : undefined;
  return typeof value === 'string' ? value : text;
}

export function parseOrRepairJson(text: string): unknown {
  return parseJson(text) ?? repairJson(text);
}

class NotJson extends Error {}

const MAX_DEPTH = 100;

function withoutFence(text: string): string {
  const fenced = /^```(?:json\w*)?\s*\n([\s\S]*?)\n?\s*```$/.exec(text);
  return fenced?.[1]?.trim() ?? text;
}

/** Closing brackets, end markers of models, or the same value again. */
function isHarmlessRest(rest: string, value: unknown): boolean {
  const marks = rest.replace(/^(?:[\]}\s,;]|<\/?[\w|\uff5c\u2581]+>|```)+/, '');
  if (marks === '' || marks === '{}') return true;
  const again = parseJson(marks);
  return again !== undefined && JSON.stringify(again) === JSON.stringify(value);
}

const CONSTANTS: Readonly<Record<string, unknown>> = {
  true: true,
  false: false,
  null: null,
  True: true,
  False: false,
  None: null,
  undefined: null,
};
const ESCAPES: ReadonlyMap<string, string> = new Map([
  ['"', '"'],
  ["'", "'"],
  ['\\', '\\'],
  ['/', '/'],
  ['b', '\b'],
  ['f', '\f'],
  ['n', '\n'],
  ['r', '\r'],
  ['t', '\t'],
]);

class LooseReader {
  readonly #text: string;
  #depth = 0;
  position = 0;

  constructor(text: string) {
    this.#text = text;
  }

  value(): unknown {
    this.#skipBlanks();
    const next = this.#text[this.position];
    if (next === '{') return this.#nested(() => this.#object());
    if (next === '[') return this.#nested(() => this.#array());
    if (next === '"' || next === "'") return this.#string(next);
    const word = this.#match(/[\w.+-]+/y);
    if (Object.hasOwn(CONSTANTS, word)) return CONSTANTS[word];
    if (/^-?\d+(?:\.\d+)?(?:[eE][+-]?\d+)?$/.test(word)) return Number(word);
    throw new NotJson();
  }

  #nested<T>(read: () => T): T {
    this.#depth += 1;
    if (this.#depth > MAX_DEPTH) throw new NotJson();
    const value = read();
    this.#depth -= 1;
    return value;
  }

  #object(): Record<string, unknown> {
    const members: [string, unknown][] = [];
    this.position += 1;
    while (!this.#takes('}')) {
      const quote = this.#text[this.position];
      const name = quote === '"' || quote === "'" ? this.#string(quote) : this.#match(/[A-Za-z_$][\w$]*/y);
      if (!this.#takes(':')) throw new NotJson();
      members.push([name, this.value()]);
      this.#endMember('}');
    }
    return Object.fromEntries(members);
  }

  #array(): unknown[] {
    const items: unknown[] = [];
    this.position += 1;
    while (!this.#takes(']')) {
      items.push(this.value());
      this.#endMember(']');
    }
    return items;
  }

  #endMember(end: string): void {
    if (this.#takes(',')) this.#skipBlanks();
    else if (this.#text[this.position] !== end) throw new NotJson();
  }

  #string(quote: string): string {
    const triple = quote.repeat(3);
    if (this.#text.startsWith(triple, this.position)) return this.#longString(triple);
    let text = '';
    let [keepsBackslash, hasControl] = [false, false];
    this.position += 1;
    for (;;) {
      const next = this.#text[this.position];
      if (next === undefined) throw new NotJson();
      this.position += 1;
      if (next === quote) break;
      if (next !== '\\') {
        text += next;
        continue;
      }
      const escape = this.#text[this.position];
      if (escape === undefined) throw new NotJson();
      this.position += 1;
      const code = escape === 'u' ? /[\da-fA-F]{4}/y : undefined;
      if (code !== undefined) {
        text += String.fromCharCode(Number.parseInt(this.#match(code), 16));
      } else if (ESCAPES.get(escape) !== undefined) {
        text += ESCAPES.get(escape);
        hasControl ||= /[bfnrt]/.test(escape);
      } else if (escape === '\n') {
        text += '\n';
      } else {
        // The pattern `\d`, for example. In a Windows path, `\n` is then not a line end either.
        text += `\\${escape}`;
        keepsBackslash = true;
      }
    }
    if (keepsBackslash && hasControl && /^[A-Za-z]:/.test(text)) throw new NotJson();
    return text;
  }

  /** Without escapes: which of them it has differs between languages. */
  #longString(quotes: string): string {
    const start = this.position + quotes.length;
    const end = this.#text.indexOf(quotes, start);
    const text = this.#text.slice(start, end);
    if (end === -1 || text.includes('\\')) throw new NotJson();
    this.position = end + quotes.length;
    return text;
  }

  #takes(character: string): boolean {
    this.#skipBlanks();
    if (this.#text[this.position] !== character) return false;
    this.position += 1;
    this.#skipBlanks();
    return true;
  }

  #skipBlanks(): void {
    while (/\s/.test(this.#text[this.position] ?? '')) this.position += 1;
    const comment = /\/\/[^\n]*(?:\n|$)|\/\*[\s\S]*?\*\//y;
    comment.lastIndex = this.position;
    if (!comment.test(this.#text)) return;
    this.position = comment.lastIndex;
    this.#skipBlanks();
  }

  #match(pattern: RegExp): string {
    pattern.lastIndex = this.position;
    const found = pattern.exec(this.#text)?.[0];
    if (found === undefined) throw new NotJson();
    this.position += found.length;
    return found;
  }
}
