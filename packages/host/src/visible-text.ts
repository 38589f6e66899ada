import { escapeHidden } from '@qwen/protocol';

/** The text on one line. */
export function toVisible(text: string): string {
  return escapeHidden(text);
}

export function toVisibleLines(text: string): string {
  return escapeHidden(text, { keepLines: true });
}

/** One line of at most `maxLength` UTF-16 units; states how much was cut. */
export function toVisibleLine(text: string, maxLength: number): string {
  return escapeHidden(text, { maxLength });
}
