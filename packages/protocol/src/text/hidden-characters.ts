/*
 * Characters that a terminal obeys or a reader does not see: control characters, line separators, changes of direction,
 * zero-width characters, tags, variation selectors and lone surrogates. One set, three policies: write them out, remove
 * them, or put the text on one line.
 */
const HIDDEN = String.raw`\p{Cc}\p{Cs}\p{Zl}\p{Zp}\p{Default_Ignorable_Code_Point}\ufff9-\ufffb`;
const SELECTORS = String.raw`\ufe00-\ufe0f\u{e0100}-\u{e01ef}`;
const JOINERS = String.raw`\u200c\u200d`;

const LETTER = String.raw`[[\p{Lo}\p{M}]--\p{Default_Ignorable_Code_Point}]`;
/** A joiner between two letters or pictographs, or a selector after an emoji or a letter with variants. */
const VISIBLE_USE = [
  String.raw`(?:${LETTER}|\p{Emoji_Modifier}|\p{Extended_Pictographic}[\ufe0e\ufe0f]?)[${JOINERS}](?=${LETTER}|\p{Extended_Pictographic})`,
  String.raw`[\p{Emoji}\p{Extended_Pictographic}][\ufe0e\ufe0f]`,
  String.raw`\p{Script=Han}[${SELECTORS}]`,
  String.raw`[\p{Script=Mongolian}--\p{Default_Ignorable_Code_Point}][\u180b-\u180f]`,
].join('|');

/** Its meaning depends on the next character. Also matches the empty end. */
const OPEN_END = new RegExp(String.raw`[${JOINERS}${SELECTORS}\ud800-\udbff]*$`, 'u');
const CONTEXT = 4;
const LINE_END = /\r\n?|[\v\f\u0085\u2028\u2029]/g;
const PLAIN = /^[ -~]*$/;
const PATTERNS = new Map<string, RegExp>();

export interface EscapeOptions {
  /** Keep line feeds and tabs. Default: one line. */
  readonly keepLines?: boolean;
  /** The text is part of a longer one: keep joiners and selectors, whose neighbors may be in another part. */
  readonly isPart?: boolean;
  /** In UTF-16 units; a cut result says how much is missing. Default: no limit. */
  readonly maxLength?: number;
}

/** For terminals and file names: writes hidden characters as `\uXXXX`. Idempotent. */
export function escapeHidden(text: string, options: EscapeOptions = {}): string {
  const { maxLength = Infinity } = options;
  const escaped = PLAIN.test(text) ? text : text.replaceAll(patternFor(options), escape);
  if (escaped.length <= maxLength) return escaped;
  const shown = escaped.slice(0, maxLength).replace(/[\ud800-\udbff]$/, '');
  return `${shown}… (${escaped.length - shown.length} more characters)`;
}

/**
 * Part of a text for a terminal. Keeps line feeds and tabs, drops carriage returns because they hide what precedes
 * them. Escaping parts equals escaping the whole.
 */
export function toTerminalText(text: string): string {
  return escapeHidden(text.replaceAll('\r', ''), { keepLines: true, isPart: true });
}

/** For a text in parts: holds back joiners and selectors at the end until the next part. */
export class TerminalTextStream {
  /** Decides about the first characters of the next part. */
  #before = '';
  #held = '';

  push(text: string): string {
    const whole = this.#held + text.replaceAll('\r', '');
    const end = whole.search(OPEN_END);
    this.#held = whole.slice(end);
    return this.#show(whole.slice(0, end));
  }

  /** The rest; what follows is another text. */
  flush(): string {
    const rest = this.#show(this.#held);
    this.#held = '';
    this.#before = '';
    return rest;
  }

  #show(text: string): string {
    const before = this.#before;
    const shown = escapeHidden(before + text, { keepLines: true }).slice(
      escapeHidden(before, { keepLines: true }).length,
    );
    this.#before = Array.from(before + text)
      .slice(-CONTEXT)
      .join('');
    return shown;
  }
}

/** For text that a model reads: removes hidden characters, keeps line feeds and tabs. */
export function removeHidden(text: string): string {
  if (PLAIN.test(text)) return text;
  return text.replaceAll(LINE_END, '\n').replaceAll(patternFor({ keepLines: true }), '');
}

/** For labels and log lines: replaces white space and hidden characters by single spaces. */
export function toOneLine(text: string): string {
  return text.replaceAll(patternFor({}), ' ').replaceAll(/\s+/g, ' ').trim();
}

export function hasHidden(line: string): boolean {
  return !PLAIN.test(line) && line.search(patternFor({})) !== -1;
}

function patternFor({ keepLines = false, isPart = false }: EscapeOptions): RegExp {
  const kept = `${keepLines ? String.raw`\n\t` : ''}${isPart ? String.raw`${JOINERS}${SELECTORS}\p{Cs}` : ''}`;
  const source = `[[${HIDDEN}]--[${kept}]]${isPart ? '' : `(?<!${VISIBLE_USE})`}`;
  const pattern = PATTERNS.get(source) ?? new RegExp(source, 'gv');
  PATTERNS.set(source, pattern);
  return pattern;
}

function escape(character: string): string {
  return Array.from({ length: character.length }, (_, index) => character.charCodeAt(index))
    .map((code) => `\\u${code.toString(16).padStart(4, '0')}`)
    .join('');
}
