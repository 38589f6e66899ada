import type { TextStyle } from '../../lines/styled-line.js';

/** What a stretch of code is, for its colour. */
export type CodeRole = 'keyword' | 'string' | 'comment' | 'number' | 'name' | 'type' | 'call' | 'added' | 'removed';

export const CODE_STYLES: Readonly<Record<CodeRole, TextStyle>> = {
  keyword: { token: 'AccentPurple' },
  string: { token: 'AccentGreen' },
  comment: { token: 'Gray', italic: true },
  number: { token: 'AccentYellow' },
  name: { token: 'AccentBlue' },
  type: { token: 'AccentCyan' },
  call: { token: 'AccentBlue' },
  added: { token: 'DiffAdded' },
  removed: { token: 'DiffRemoved' },
};

/**
 * What a word of a language looks like, as the source of a regular expression without groups that are counted. Each must
 * be linear in the length of the line: no repetition inside of a repetition, and one that may fail at its end begins where
 * a word begins.
 */
export interface Rule {
  readonly role: CodeRole;
  readonly pattern: string;
  /** It goes on, over lines too, up to what this matches. A backslash keeps the next character from ending it. */
  readonly until?: string;
}

/** The first rule that matches at a place counts. */
export interface Grammar {
  readonly rules: readonly Rule[];
  /** Whether case does not matter. Default false. */
  readonly ignoresCase?: boolean;
}

export const DOUBLE_QUOTED: Rule = { role: 'string', pattern: String.raw`"(?:[^"\\]|\\.)*"?` };
export const SINGLE_QUOTED: Rule = { role: 'string', pattern: String.raw`'(?:[^'\\]|\\.)*'?` };
export const SLASHES: Rule = { role: 'comment', pattern: String.raw`\/\/.*` };
export const SLASH_STAR: Rule = { role: 'comment', pattern: String.raw`\/\*`, until: String.raw`\*\/` };
export const HASH: Rule = { role: 'comment', pattern: String.raw`(?<![\w$])#.*` };
export const NUMBER: Rule = {
  role: 'number',
  pattern: String.raw`\b(?:0[xXbBoO][\da-fA-F_]+|\d[\d_]*(?:\.\d+)?(?:[eE][+-]?\d+)?)n?\b`,
};
export const TYPE: Rule = { role: 'type', pattern: String.raw`\b[A-Z]\w*` };
export const CALL: Rule = { role: 'call', pattern: String.raw`(?<![\w$])[A-Za-z_$][\w$]*(?=\()` };

/** A rule for words that are parted by spaces here. */
export function keywords(words: string): Rule {
  return { role: 'keyword', pattern: String.raw`(?<![\w$.])(?:${words.trim().split(/\s+/).join('|')})(?![\w$])` };
}
