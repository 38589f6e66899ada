const WORD = /[\p{L}\p{M}\p{N}_]/u;

/** Scripts without spaces between words: a name may start or end inside a run of letters. */
const WITHOUT_BLANKS =
  /[\p{scx=Han}\p{scx=Hira}\p{scx=Kana}\p{scx=Hang}\p{scx=Bopo}\p{scx=Thai}\p{scx=Laoo}\p{scx=Khmr}\p{scx=Mymr}\p{scx=Tibt}]/u;

const BLANK = /[\s\p{Cc}]/u;

export function isBlank(character: string): boolean {
  return BLANK.test(character);
}

/** Whether an `@` after this character belongs to an address. */
export function isPartOfWord(character: string): boolean {
  return WORD.test(character) && !WITHOUT_BLANKS.test(character);
}

export function isUsualInPath(character: string): boolean {
  return WORD.test(character) || /[-./\\~+#=%$&@*?![\]{}:]/.test(character);
}

export function mayFollowPath(character: string): boolean {
  return !isPartOfWord(character) && !/[-./\\]/.test(character);
}

/** Characters that end a path, start quotes or escape. */
const NEEDS_ESCAPE = /[\s\p{Cc}@\\"]/gu;

/** A backslash before whitespace, a control character or ASCII punctuation. */
const ESCAPE = /\\([\s\p{Cc}!-/:-@[-`{-~])/gu;

export function escapePath(path: string): string {
  return path.replace(NEEDS_ESCAPE, '\\$&');
}

/** A backslash before other characters is part of the name. */
export function unescapePath(text: string): string {
  return text.replace(ESCAPE, '$1');
}
