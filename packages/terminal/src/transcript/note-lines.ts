import type { AgentEvent } from '@qwen/agent';
import { toShownInOne, toShownLines } from '../lines/shown-text.js';
import type { StyledLine } from '../lines/styled-line.js';
import { wrapLine } from '../lines/wrap-line.js';

export function noteOf(text: string, columns: number): readonly StyledLine[] {
  return toShownLines(text).flatMap((line) => wrapLine([{ text: `! ${line}`, token: 'AccentYellow' }], columns));
}

export function failureOf(text: string, columns: number): readonly StyledLine[] {
  return toShownLines(text).flatMap((line) => wrapLine([{ text: `✗ ${line}`, token: 'AccentRed' }], columns));
}

export function quietLine(text: string): StyledLine {
  return [{ text: toShownInOne(text), token: 'Gray' }];
}

/** Empty for most events. */
export function noteLines(event: AgentEvent, columns: number): readonly StyledLine[] {
  switch (event.type) {
    case 'notice':
      // Files that could be read need no notice.
      return event.code === 'file_references'
        ? wrapLine(quietLine(event.message), columns)
        : noteOf(event.message, columns);
    case 'model_fallback':
      return noteOf(`${event.error.message} Continuing with ${event.to}.`, columns);
    case 'model_changed':
      return [quietLine(`Switched to the model ${event.model}.`), []];
    case 'compacted': {
      const { tokensBefore, tokensAfter } = event;
      const text = `The conversation was compacted: ${tokensBefore} tokens before, ${tokensAfter} after.`;
      return wrapLine(quietLine(text), columns);
    }
    case 'history_changed':
      return event.reason === 'cleared' ? [quietLine('Started a new conversation.'), []] : [];
    default:
      return [];
  }
}

/** With an empty line after it. A unified diff is colored. */
export function plainLines(text: string, columns: number): readonly StyledLine[] {
  if (text.trim() === '') return [];
  const isDiff = /^@@ /m.test(text);
  const lines = toShownLines(text.trimEnd()).flatMap((line) =>
    wrapLine([{ text: line, ...lookOf(line, isDiff) }], columns),
  );
  return [...lines, []];
}

function lookOf(line: string, isDiff: boolean): Pick<StyledLine[number], 'token' | 'bold'> {
  if (!isDiff) return {};
  if (/^(?:---|\+\+\+) /.test(line)) return { bold: true };
  if (line.startsWith('@@ ')) return { token: 'AccentCyan' };
  return line.startsWith('+') ? { token: 'AccentGreen' } : line.startsWith('-') ? { token: 'AccentRed' } : {};
}
