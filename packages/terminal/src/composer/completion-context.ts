import { type HintTrigger, typedReference } from '@qwen/commands';
import { lineAt, type Position, type TextBuffer } from './text-buffer.js';

export interface CompletionContext {
  readonly trigger: HintTrigger;
  readonly text: string;
  /** Start of the replaced text; for a command, of the whole command. */
  readonly start: Position;
  readonly word: string;
}

/** A path after `@` anywhere, or a slash command in the first line; undefined otherwise and in shell mode. */
export function completionContext(buffer: TextBuffer): CompletionContext | undefined {
  const { line, offset } = buffer.cursor;
  const text = lineAt(buffer, line).slice(0, offset);
  if (lineAt(buffer, 0).startsWith('!')) return undefined;
  const reference = typedReference(text, offset);
  if (reference !== undefined) {
    return { trigger: 'at', text, start: { line, offset: reference.start }, word: reference.path };
  }
  if (line !== 0 || !/^\s*\//.test(text)) return undefined;
  const start = text.indexOf('/') + 1;
  return { trigger: 'slash', text, start: { line, offset: start }, word: text.slice(start) };
}
