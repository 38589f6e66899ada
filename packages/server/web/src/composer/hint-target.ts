export interface HintTarget {
  readonly trigger: 'slash' | 'at';
  /** After the `@`. */
  readonly start: number;
}

export function findHintTarget(text: string, cursor: number): HintTarget | undefined {
  const before = text.slice(0, cursor);
  if (/^\s*[/?]/.test(before) && !before.includes('\n')) {
    const words = /(?:^\s*[/?]|\s)(\S*)$/.exec(before);
    return { trigger: 'slash', start: cursor - (words?.[1]?.length ?? 0) };
  }
  // A backslash escapes a space in the path.
  const mention = /(?:^|[\s(,;:])@((?:\\.|[^\s\\@])*)$/.exec(before);
  return mention === null ? undefined : { trigger: 'at', start: cursor - (mention[1]?.length ?? 0) };
}

export function takeSuggestion(
  text: string,
  word: { readonly start: number; readonly cursor: number },
  value: string,
): { readonly text: string; readonly cursor: number } {
  const after = text.slice(word.cursor);
  // Typing continues in a folder.
  const gap = value.endsWith('/') || /^\s/.test(after) ? '' : ' ';
  const before = text.slice(0, word.start) + value + gap;
  return { text: before + after, cursor: before.length };
}
