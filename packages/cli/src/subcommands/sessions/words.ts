import { AgentError } from '@qwen/protocol';

/** The words that a verb needs, by what they are. Throws `usage` for missing ones and for more than there are. */
export function takeWords<const Names extends readonly string[]>(
  words: readonly string[],
  names: Names,
): { readonly [Index in keyof Names]: string } {
  if (words.length !== names.length) {
    throw new AgentError(
      'usage',
      `sessions: expected ${names.join(' ') || 'no more arguments'}; see qwen sessions help`,
    );
  }
  return words as { readonly [Index in keyof Names]: string };
}

/** The value of `--limit`. Throws `usage` for what is no count. */
export function readLimit(text: string | undefined): { readonly limit?: number } {
  if (text === undefined) return {};
  if (!/^[1-9]\d{0,6}$/.test(text)) throw new AgentError('usage', `sessions: --limit takes a number, not "${text}"`);
  return { limit: Number(text) };
}

/** What is not ours to print as it is: a title or a prompt may hold the codes of a terminal. */
export function plainLine(text: string, length: number): string {
  const line = text.replaceAll(/[\p{Cc}\u200b-\u200f\u2028-\u202e\u2066-\u2069]+/gu, ' ').trim();
  return line.length > length ? `${line.slice(0, length - 1)}…` : line;
}
