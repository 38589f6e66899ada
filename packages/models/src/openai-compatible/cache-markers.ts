import type OpenAI from 'openai';

type Message = OpenAI.ChatCompletionMessageParam;

const CACHED = { cache_control: { type: 'ephemeral' } } as const;

/**
 * Marks the system prompt, the end of the conversation, and the end of the request before, which the cache has.
 * DashScope looks back 20 blocks from a marker.
 */
export function markCache(messages: readonly Message[]): Message[] {
  const lastAnswer = messages.findLastIndex(({ role }) => role === 'assistant');
  const marked = new Set([messages.length - 1, lastAnswer - 1]);
  return messages.map((message, index) =>
    message.role === 'system' || marked.has(index) ? withMarker(message) : message,
  );
}

function withMarker(message: Message): Message {
  const { content } = message;
  const parts = typeof content === 'string' ? [{ type: 'text' as const, text: content }] : content;
  const last = parts?.at(-1);
  if (!parts || last === undefined || (last.type === 'text' && last.text === '')) return message;
  return { ...message, content: [...parts.slice(0, -1), { ...last, ...CACHED }] } as Message;
}
