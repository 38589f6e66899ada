/** What a person is typing that hints exist for: the word from `start` to the cursor. */
export interface HintTarget {
  readonly trigger: 'slash' | 'at';
  /** Where the word that a suggestion replaces begins; behind the `@`. */
  readonly start: number;
}

/** Which hints to ask for, by what stands before the cursor; undefined where none would help. */
export function findHintTarget(text: string, cursor: number): HintTarget | undefined {
  const before = text.slice(0, cursor);
  if (/^\s*[/?]/.test(before) && !before.includes('\n')) {
    const words = /(?:^\s*[/?]|\s)(\S*)$/.exec(before);
    return { trigger: 'slash', start: cursor - (words?.[1]?.length ?? 0) };
  }
  // A backslash keeps the blank behind it in the path.
  const mention = /(?:^|[\s(,;:])@((?:\\.|[^\s\\@])*)$/.exec(before);
  return mention === null ? undefined : { trigger: 'at', start: cursor - (mention[1]?.length ?? 0) };
}

/** The text with a suggestion in place of the word at the cursor, and where the cursor is then. */
export function takeSuggestion(
  text: string,
  place: { readonly start: number; readonly cursor: number },
  value: string,
): { readonly text: string; readonly cursor: number } {
  const behind = text.slice(place.cursor);
  // A folder is typed on into.
  const gap = value.endsWith('/') || /^\s/.test(behind) ? '' : ' ';
  const before = text.slice(0, place.start) + value + gap;
  return { text: before + behind, cursor: before.length };
}
