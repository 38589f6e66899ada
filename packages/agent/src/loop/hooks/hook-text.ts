import { type ContentBlock, removeHidden } from '@qwen/protocol';
import type { HookMoment } from '../../hook-port.js';

/** Limit per verdict, in UTF-16 units: every later model call pays for them. */
const MAX_LENGTH = 10_000;

/**
 * The text of a hook without hidden characters, cut to `maxLength` UTF-16 units. Default: 10,000.
 */
export function toPlainHookText(text: string, maxLength = MAX_LENGTH): string {
  const plain = removeHidden(text).trim();
  if (plain.length <= maxLength) return plain;
  const shown = plain.slice(0, maxLength).replace(/[\ud800-\udbff]$/, '');
  return `${shown}\n(${plain.length - shown.length} more characters were left out)`;
}

/** Wraps the text of a hook for the model. The text cannot close the wrapper. */
export function toHookContext(event: HookMoment['event'], text: string): string {
  const plain = toPlainHookText(text).replaceAll(/<(\/?)hook-context/gi, '&lt;$1hook-context');
  return `<hook-context from="${event}">\n${plain}\n</hook-context>`;
}

/** Whether hooks added this text to a prompt. */
export function isHookContext(text: string): boolean {
  return text.startsWith('<hook-context ');
}

/** Appends texts to the content. */
export function withTexts(
  content: string | readonly ContentBlock[],
  texts: readonly string[],
): string | readonly ContentBlock[] {
  if (texts.length === 0) return content;
  if (typeof content === 'string') return [content, ...texts].join('\n\n');
  return [...content, ...texts.map((text) => ({ type: 'text' as const, text }))];
}
