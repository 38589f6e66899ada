/** Letters, marks and digits of any script, and the underscore. */
const WORD = /[\p{L}\p{M}\p{N}_]/u;

/** Scripts that put no blanks between words: there a name may begin or end in the middle of a run of letters. */
const WITHOUT_BLANKS =
  /[\p{scx=Han}\p{scx=Hira}\p{scx=Kana}\p{scx=Hang}\p{scx=Bopo}\p{scx=Thai}\p{scx=Laoo}\p{scx=Khmr}\p{scx=Mymr}\p{scx=Tibt}]/u;

/** Ends every path that is not quoted, unless it is escaped. */
const BLANK = /[\s\p{Cc}]/u;

export function isBlank(character: string): boolean {
  return BLANK.test(character);
}

/** Whether this character goes on a word that stands before it, so that an `@` behind it belongs to an address. */
export function isPartOfWord(character: string): boolean {
  return WORD.test(character) && !WITHOUT_BLANKS.test(character);
}

/** Whether names of files usually hold this character without quotes; full-width and typographic punctuation is not. */
export function isUsualInPath(character: string): boolean {
  return WORD.test(character) || /[-./\\~+#=%$&@*?![\]{}:]/.test(character);
}

/** Whether a path may end before this character although it could go on with it. */
export function mayFollowPath(character: string): boolean {
  return !isPartOfWord(character) && !/[-./\\]/.test(character);
}

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
