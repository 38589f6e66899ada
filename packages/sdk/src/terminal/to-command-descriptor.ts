import type { CommandDescriptor } from '@qwen/protocol/openai';

/** An unescaped `@` at the start of a word. */
const REFERENCE = /(?:^|\s)@\S/;

/**
 * Parses the user's input; undefined for a plain prompt. `/name …` and a lone `?` are slash commands, a text with `@`
 * references is an at command. Paths such as `/usr/bin` are neither.
 *
 * @example
 * import { toCommandDescriptor } from '@qwen/sdk/terminal';
 *
 * toCommandDescriptor('/compress now'); // { kind: 'slash', path: ['compress'], args: 'now' }
 * toCommandDescriptor('Explain @src/main.ts'); // { kind: 'at', args: 'Explain @src/main.ts' }
 * toCommandDescriptor('Fix the tests.'); // undefined
 */
export function toCommandDescriptor(text: string): CommandDescriptor | undefined {
  const typed = text.trim();
  if (typed === '?') return { kind: 'slash', path: ['help'], args: '' };
  const [, name, args = ''] = /^\/([^\s/*]+)(?:\s+([^]*))?$/.exec(typed) ?? [];
  if (name !== undefined) return { kind: 'slash', path: [name === '?' ? 'help' : name], args };
  return REFERENCE.test(typed) ? { kind: 'at', args: typed } : undefined;
}
