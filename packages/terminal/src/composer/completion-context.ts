import { type HintTrigger, typedReference } from '@qwen/commands';
import { lineAt, type Place, type TextBuffer } from './text-buffer.js';

/** What is being typed that could be completed. */
export interface CompletionContext {
  readonly trigger: HintTrigger;
  /** What is asked about: the line up to the cursor. */
  readonly text: string;
  /** Where what would be replaced begins; of a command the whole of it up to the cursor. */
  readonly start: Place;
  /** What was typed from there on. */
  readonly word: string;
}

/**
 * A path behind an `@` anywhere, or a slash command in the first line. Undefined for everything else, and in a line for
 * the shell.
 */
export function completionContext(buffer: TextBuffer): CompletionContext | undefined {
  const { line, offset } = buffer.cursor;
  const text = lineAt(buffer, line).slice(0, offset);
  if (lineAt(buffer, 0).startsWith('!')) return undefined;
  const reference = typedReference(text, offset);
  if (reference !== undefined) {
    return { trigger: 'at', text, start: { line, offset: reference.start }, word: reference.path };
  }
  if (line !== 0 || !/^\s*\/\S*/.test(text)) return undefined;
  const start = text.indexOf('/') + 1;
  return { trigger: 'slash', text, start: { line, offset: start }, word: text.slice(start) };
}
