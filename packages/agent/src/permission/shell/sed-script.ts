import { isAbbreviation, scanOptions } from './option-words.js';

export interface SedScript {
  /** Files that `r`, `R`, `w`, `W` and the flag `w` name. */
  readonly files: readonly string[];
  /** Whether it starts a program, by `e` or the flag `e`. */
  readonly runs: boolean;
}

const BLANKS = /[\s;]/;
const PLAIN_COMMANDS = 'dDgGhHnNpPxlzF=qQL';

export function readSedScript(script: string): SedScript | undefined {
  const reader = new SedReader(script);
  return reader.read() ? { files: reader.files, runs: reader.runs } : undefined;
}

class SedReader {
  readonly files: string[] = [];
  runs = false;
  readonly #text: string;
  #at = 0;

  constructor(text: string) {
    this.#text = text;
  }

  read(): boolean {
    while (this.#at < this.#text.length) {
      const next = this.#text[this.#at] ?? '';
      if (BLANKS.test(next) || next === '}') this.#at += 1;
      else if (next === '#') this.#restOfLine();
      else if (!this.#readAddresses() || !this.#readCommand()) return false;
    }
    return true;
  }

  #readAddresses(): boolean {
    if (!this.#readAddress()) return false;
    this.#skip(/\s/);
    if (this.#text[this.#at] === ',') {
      this.#at += 1;
      this.#skip(/\s/);
      if (/[+~]/.test(this.#text[this.#at] ?? '')) this.#at += 1;
      if (!this.#readAddress()) return false;
    }
    this.#skip(/[\s!]/);
    return true;
  }

  #readAddress(): boolean {
    const next = this.#text[this.#at] ?? '';
    if (/[\d$]/.test(next)) {
      this.#skip(/[\d~$]/);
      return true;
    }
    if (next !== '/' && next !== '\\') return true;
    if (next === '\\') this.#at += 1;
    if (this.#delimited(1) === undefined) return false;
    this.#skip(/[IM]/);
    return true;
  }

  #readCommand(): boolean {
    const name = this.#text[this.#at] ?? '';
    this.#at += 1;
    if (name === '{' || name === '}' || name === '') return true;
    if (PLAIN_COMMANDS.includes(name)) {
      this.#skip(/[\d ]/);
      return true;
    }
    switch (name) {
      case 's':
        return this.#readSubstitution();
      case 'y':
        return this.#delimited(2) !== undefined;
      case 'a':
      case 'i':
      case 'c':
        this.#readInsertedText();
        return true;
      case ':':
      case 'b':
      case 't':
      case 'T':
      case 'v':
        this.#skip(/[^\n;}]/);
        return true;
      case 'r':
      case 'R':
      case 'w':
      case 'W':
        this.files.push(this.#restOfLine().trim());
        return true;
      case 'e':
        this.runs = true;
        this.#restOfLine();
        return true;
      default:
        return false;
    }
  }

  #readSubstitution(): boolean {
    if (this.#delimited(2) === undefined) return false;
    for (;;) {
      const flag = this.#text[this.#at] ?? '';
      if (/[gpiIMm\d]/.test(flag)) this.#at += 1;
      else if (flag === 'e') {
        this.runs = true;
        this.#at += 1;
      } else if (flag === 'w') {
        this.#at += 1;
        this.files.push(this.#restOfLine().trim());
      } else return true;
    }
  }

  /** `a\` and text, up to a line that does not end with a backslash. */
  #readInsertedText(): void {
    let line = this.#restOfLine();
    while (line.endsWith('\\') && this.#at < this.#text.length) line = this.#restOfLine();
  }

  /** Parts that the next character separates; a backslash keeps the character after it. */
  #delimited(parts: number): true | undefined {
    const mark = this.#text[this.#at] ?? '';
    if (mark === '' || mark === '\n' || mark === '\\') return undefined;
    this.#at += 1;
    for (let left = parts; left > 0; this.#at += 1) {
      const next = this.#text[this.#at];
      if (next === undefined) return undefined;
      if (next === '\\') this.#at += 1;
      else if (next === mark) left -= 1;
      else if (next === '[' && !isPlainBracket(this.#text.slice(this.#at), mark)) return undefined;
    }
    return true;
  }

  #restOfLine(): string {
    const end = this.#text.indexOf('\n', this.#at);
    const stop = end < 0 ? this.#text.length : end;
    const line = this.#text.slice(this.#at, stop);
    this.#at = stop + 1;
    return line;
  }

  #skip(characters: RegExp): void {
    while (this.#at < this.#text.length && characters.test(this.#text[this.#at] ?? '')) this.#at += 1;
  }
}

const SED_OPTIONS = { valued: 'efl', longValued: ['expression', 'file', 'line-length'] };

/** The scripts in the arguments of sed, as one; `-i` may have a suffix attached. */
export function sedScriptOf(args: readonly string[]): { readonly script: string; readonly isFile: boolean } {
  const scripts: string[] = [];
  let isFile = false;
  const words = scanSed(args);
  for (const { name, value = '' } of words.options) {
    if (name === 'e') scripts.push(value);
    if (name === 'f') isFile = true;
  }
  if (scripts.length === 0 && !isFile) scripts.push(...words.operands.slice(0, 1));
  return { script: scripts.join('\n'), isFile };
}

function scanSed(args: readonly string[]): {
  readonly options: readonly { readonly name: string; readonly value: string | undefined }[];
  readonly operands: readonly string[];
} {
  const plain = args.map((word) => word.replace(/^-([nErsuz]*)i.*$/s, '-$1n'));
  const found = scanOptions(plain, SED_OPTIONS);
  const options = found
    .filter(({ kind }) => kind !== 'operand')
    .map(({ kind, name, value }) => {
      if (kind === 'letter') return { name, value };
      if (isAbbreviation(name, 'expression')) return { name: 'e', value };
      return { name: isAbbreviation(name, 'file') ? 'f' : '', value };
    });
  return { options, operands: found.filter(({ kind }) => kind === 'operand').map(({ name }) => name) };
}

const BRACKET = /^\[\^?\]?(?:\[([:.=])[a-z]*\1\]|\\[nt]|[^[\]\\])*\]/;

/** Programs differ in where a part ends if its delimiter is in a bracket expression, and in where that ends. */
function isPlainBracket(text: string, mark: string): boolean {
  const [bracket] = BRACKET.exec(text) ?? [];
  return bracket !== undefined && !bracket.includes(mark);
}
