import type { Attributes } from '@opentelemetry/api';
import type { AssistantBlock, StopReason } from '@qwen/agent';

/** Long texts are cut, so that the JSON of an attribute stays valid. */
const LONGEST_TEXT = 10_000;

const FINISH_REASONS: Readonly<Partial<Record<StopReason, string>>> = {
  end_turn: 'stop',
  max_tokens: 'length',
  tool_use: 'tool_call',
};

/** `gen_ai.input.messages` of a prompt. */
export function promptContent(content: unknown): Attributes {
  const texts = typeof content === 'string' ? [content] : textsOf(content);
  return toMessages('input', { role: 'user', parts: texts.map(toText) });
}

/** `gen_ai.output.messages` of an answer. */
export function answerContent(content: readonly AssistantBlock[], stopReason: StopReason): Attributes {
  const parts = content.flatMap((block): object[] => {
    if (block.type === 'text') return [toText(block.text)];
    if (block.type === 'thinking') return [{ type: 'reasoning', content: cut(block.thinking) }];
    if (block.type !== 'tool_use') return [];
    return [{ type: 'tool_call', id: block.id, name: block.name, arguments: cutAll(block.input) }];
  });
  return toMessages('output', { role: 'assistant', parts, finish_reason: FINISH_REASONS[stopReason] ?? stopReason });
}

export function argumentsContent(input: unknown): Attributes {
  return { 'gen_ai.tool.call.arguments': JSON.stringify(cutAll(input)) };
}

export function resultContent(content: unknown): Attributes {
  const texts = typeof content === 'string' ? [content] : textsOf(content);
  return { 'gen_ai.tool.call.result': cut(texts.join('\n')) };
}

function toMessages(direction: 'input' | 'output', message: object): Attributes {
  return { [`gen_ai.${direction}.messages`]: JSON.stringify([message]) };
}

/** The texts of content blocks; images are left out. */
function textsOf(content: unknown): string[] {
  if (!Array.isArray(content)) return [];
  return content.flatMap((block: unknown) =>
    typeof block === 'object' && block !== null && 'text' in block && typeof block.text === 'string'
      ? [block.text]
      : [],
  );
}

function toText(text: string): object {
  return { type: 'text', content: cut(text) };
}

function cut(text: string): string {
  return text.length > LONGEST_TEXT ? `${text.slice(0, LONGEST_TEXT)}…` : text;
}

function cutAll(value: unknown): unknown {
  if (typeof value === 'string') return cut(value);
  if (Array.isArray(value)) return value.map(cutAll);
  if (typeof value !== 'object' || value === null) return value;
  return Object.fromEntries(Object.entries(value).map(([name, member]) => [name, cutAll(member)]));
}
