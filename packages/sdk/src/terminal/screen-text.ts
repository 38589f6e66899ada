import { type AnsiItem, type OutputLine, toTerminalText } from '@qwen/protocol/openai';
import type { QwenEvent } from './events.js';

/**
 * What a terminal gets for an event, escape sequences in their places; empty for what no screen shows. Only sequences
 * that the program names may steer the terminal: what the words themselves bring is written out (S25).
 */
export function screenTextOf(event: QwenEvent | OutputLine): string {
  switch (event.kind) {
    case 'text':
      return withSequences(
        event.text,
        event.terminal.flatMap(({ ansi }) => ansi),
      );
    case 'terminal':
      return withSequences(event.text, event.terminal.ansi);
    case 'ansi':
      return event.value;
    default:
      return '';
  }
}

/** Each sequence goes before the unit at its offset; those of one place keep their order (D-12, GAP-20). */
function withSequences(text: string, items: readonly AnsiItem[]): string {
  let written = 0;
  let screen = '';
  for (const { offset, sequence } of items.toSorted((one, other) => one.offset - other.offset)) {
    const place = Math.min(Math.max(offset, written), text.length);
    screen += toTerminalText(text.slice(written, place)) + sequence;
    written = place;
  }
  return screen + toTerminalText(text.slice(written));
}
