import { AgentError, toOneLine } from '@qwen/protocol';

/** Throws `usage` for missing or extra words. */
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

/** Throws `usage` unless it is a count. */
export function readLimit(text: string | undefined): { readonly limit?: number } {
  if (text === undefined) return {};
  if (!/^[1-9]\d{0,6}$/.test(text))
    throw new AgentError('usage', `sessions: --limit needs a whole number above 0, not "${text}"`);
  return { limit: Number(text) };
}

/** Titles and prompts may contain terminal escape sequences. */
export function plainLine(text: string, length: number): string {
  const line = toOneLine(text);
  return line.length > length ? `${line.slice(0, length - 1)}…` : line;
}
