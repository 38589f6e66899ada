import type { TextStyle } from '../../lines/styled-line.js';

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
 * A token as regular expression source without capturing groups. It must be linear: no nested repetition, and one
 * that can fail at its end starts at a word boundary.
 */
export interface Rule {
  readonly role: CodeRole;
  readonly pattern: string;
  /** Continues across lines until this matches. A backslash escapes the next character. */
  readonly until?: string;
}

/** The first matching rule wins. */
export interface Grammar {
  readonly rules: readonly Rule[];
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

export function keywords(words: string): Rule {
  return { role: 'keyword', pattern: String.raw`(?<![\w$.])(?:${words.trim().split(/\s+/).join('|')})(?![\w$])` };
}
