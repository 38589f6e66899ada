/** A word that can be completed, from `start` to the cursor. */
export interface Typed {
  readonly trigger: 'slash' | 'at';
  readonly start: number;
}

/** Returns the word that a suggestion would replace, or undefined. */
export function findTyped(text: string, cursor: number): Typed | undefined {
  const before = text.slice(0, cursor);
  const at = /(?:^|\s)@((?:\\.|[^\s\\])*)$/.exec(before);
  if (at !== null) return { trigger: 'at', start: cursor - (at[1] ?? '').length };
  if (!/^\s*[/?]/.test(before)) return undefined;
  return { trigger: 'slash', start: Math.max(before.search(/[/?]/) + 1, before.search(/\S*$/)) };
}
