import type { AgentEvent } from '@qwen/agent';
import { toShownInOne, toShownLines } from '../lines/shown-text.js';
import type { StyledLine } from '../lines/styled-line.js';
import { wrapLine } from '../lines/wrap-line.js';

/** Something a person should know: each line of it, marked. */
export function noteOf(text: string, columns: number): readonly StyledLine[] {
  return toShownLines(text).flatMap((line) => wrapLine([{ text: `! ${line}`, token: 'AccentYellow' }], columns));
}

/** The same for what went wrong. */
export function failureOf(text: string, columns: number): readonly StyledLine[] {
  return toShownLines(text).flatMap((line) => wrapLine([{ text: `✗ ${line}`, token: 'AccentRed' }], columns));
}

/** What stands beside the conversation. */
export function quietLine(text: string): StyledLine {
  return [{ text: toShownInOne(text), token: 'Gray' }];
}

/** What there is to tell of an event that is no part of the conversation; nothing of most. */
export function noteLines(event: AgentEvent, columns: number): readonly StyledLine[] {
  switch (event.type) {
    case 'notice':
      // What was read is as it should be.
      return event.code === 'file_references'
        ? wrapLine(quietLine(event.message), columns)
        : noteOf(event.message, columns);
    case 'model_fallback':
      return noteOf(`${event.error.message} Continuing with ${event.to}.`, columns);
    case 'model_changed':
      return [quietLine(`The model is ${event.model} now.`), []];
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
