import { type ContentBlock, removeHidden } from '@qwen/protocol';
import type { HookMoment } from '../../hook-port.js';

/** What one verdict may say, in UTF-16 units; a model pays for each of them with every further call (S89). */
const MAX_LENGTH = 10_000;

/**
 * The words of a hook as data (S89): nothing that acts on a terminal, and no more than `maxLength` UTF-16 units of it.
 * Default 10 000, which is what a model reads of one verdict.
 */
export function toPlainHookText(text: string, maxLength = MAX_LENGTH): string {
  const plain = removeHidden(text).trim();
  if (plain.length <= maxLength) return plain;
  const shown = plain.slice(0, maxLength).replace(/[\ud800-\udbff]$/, '');
  return `${shown}\n(${plain.length - shown.length} more characters were left out)`;
}

/** What a hook has to say to the model, marked as such. It cannot end its own marks. */
export function toHookContext(event: HookMoment['event'], text: string): string {
  const plain = toPlainHookText(text).replaceAll(/<(\/?)hook-context/gi, '&lt;$1hook-context');
  return `<hook-context from="${event}">\n${plain}\n</hook-context>`;
}

/** Whether a text of a prompt was added by hooks and not said by anybody. */
export function isHookContext(text: string): boolean {
  return text.startsWith('<hook-context ');
}

/** Content with further texts behind it; the content itself when there are none. */
export function withTexts(
  content: string | readonly ContentBlock[],
  texts: readonly string[],
): string | readonly ContentBlock[] {
  if (texts.length === 0) return content;
  if (typeof content === 'string') return [content, ...texts].join('\n\n');
  return [...content, ...texts.map((text) => ({ type: 'text' as const, text }))];
}
