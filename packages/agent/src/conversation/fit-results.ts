import type { ModelMessage, ToolResultPart, UserPart } from '@qwen/models';
import { messageTokens, textTokens } from './context-usage.js';

const RESULT_SHARE = 0.4;
const SMALLEST_TEXT = 400;

/** Messages are immutable, and shortening a long one takes milliseconds. */
const shortened = new WeakMap<ModelMessage, { readonly limit: number; readonly message: ModelMessage }>();

/**
 * The messages with results that fit a window: the longest texts of a step lose their middle. The same messages and
 * window give the same result, so that provider caches hit.
 */
export function fitResults(messages: readonly ModelMessage[], windowTokens: number): readonly ModelMessage[] {
  const limit = Math.floor(windowTokens * RESULT_SHARE);
  return messages.map((message) => {
    if (message.role !== 'tool') return message;
    const known = shortened.get(message);
    if (known?.limit === limit) return known.message;
    const fitting = messageTokens(message) > limit ? { ...message, results: shorten(message.results, limit) } : message;
    shortened.set(message, { limit, message: fitting });
    return fitting;
  });
}

function shorten(results: readonly ToolResultPart[], limit: number): ToolResultPart[] {
  const cutTo = (length: number) =>
    results.map((result) => ({ ...result, content: result.content.map((part) => cut(part, length)) }));
  let length = Math.max(...results.flatMap(({ content }) => content.map(lengthOf)));
  let fitting = cutTo(length);
  while (length > SMALLEST_TEXT && tokensOf(fitting) > limit) {
    length = Math.floor(length * 0.8);
    fitting = cutTo(length);
  }
  return fitting;
}

function tokensOf(results: readonly ToolResultPart[]): number {
  const texts = results.flatMap(({ content }) => content.map((part) => (part.type === 'text' ? part.text : '')));
  return texts.reduce((sum, text) => sum + textTokens(text), 0);
}

function lengthOf(part: UserPart): number {
  return part.type === 'text' ? part.text.length : 0;
}

function cut(part: UserPart, length: number): UserPart {
  if (part.type !== 'text' || part.text.length <= length) return part;
  const start = Math.floor(length * 0.7);
  const end = length - start;
  const note = `[${part.text.length - length} characters left out: the result is too long for the context window. Ask for a smaller part.]`;
  return { type: 'text', text: `${part.text.slice(0, start)}\n${note}\n${part.text.slice(-end)}` };
}
