import { escapeHidden } from '@qwen/protocol';

/** Escapes hidden characters, e.g. `\u001b`, but keeps line breaks and tabs. */
export function toVisibleText(text: string): string {
  return escapeHidden(text, { keepLines: true });
}
