/** What a path cannot hold behind an `@` without a backslash: it would end it, begin quotes or be an escape itself. */
const NEEDS_ESCAPE = /[\s\p{Cc}@\\"]/gu;

/** A backslash and what it can take its meaning from: a blank, a control character or punctuation of ASCII. */
const ESCAPE = /\\([\s\p{Cc}!-/:-@[-`{-~])/gu;

/** The path as it can stand behind an `@` (G-19, GAP-27). */
export function escapePath(path: string): string {
  return path.replace(NEEDS_ESCAPE, '\\$&');
}

/** The path that an escaped one means. A backslash before anything else stays: it is part of the name. */
export function unescapePath(text: string): string {
  return text.replace(ESCAPE, '$1');
}
