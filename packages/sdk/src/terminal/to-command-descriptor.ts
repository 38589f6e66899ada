import type { CommandDescriptor } from '@qwen/protocol/openai';

/** An `@` that begins a word and is not escaped (CF-23). */
const REFERENCE = /(?:^|\s)@\S/;

/**
 * The command that a person's text is (F-29), undefined where it is something to say to the model. `/name …`, and `?`
 * alone, are slash commands; which further words name subcommands is for the program to know. A text with a reference to
 * a file is an at command. A path such as `/usr/bin` and a question that begins with `?` are neither (CF-67).
 */
export function toCommandDescriptor(text: string): CommandDescriptor | undefined {
  const typed = text.trim();
  if (typed === '?') return { kind: 'slash', path: ['help'], args: '' };
  const [, name, args = ''] = /^\/([^\s/*]+)(?:\s+([^]*))?$/.exec(typed) ?? [];
  if (name !== undefined) return { kind: 'slash', path: [name === '?' ? 'help' : name], args };
  return REFERENCE.test(typed) ? { kind: 'at', args: typed } : undefined;
}
