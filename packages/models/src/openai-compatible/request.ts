import { defined, isJsonObject } from '@qwen/protocol';
import type OpenAI from 'openai';
import { levelOfTokens, REASONING_EFFORT, THINKING_TOKENS } from '../effort.js';
import type { AssistantPart, ModelMessage, ModelRequest, ToolDeclaration, ToolResultPart, UserPart } from '../parts.js';
import { isOpaque, isOpaqueLine, readOpaqueLines } from '../response/opaque-lines.js';
import { pairToolResults } from '../response/pair-tool-results.js';
import { markCache } from './cache-markers.js';
import type { Quirks } from './quirks.js';

type Body = OpenAI.ChatCompletionCreateParamsStreaming;
type Message = OpenAI.ChatCompletionMessageParam;
type AssistantMessage = OpenAI.ChatCompletionAssistantMessageParam & {
  reasoning_content?: string;
  reasoning_details?: unknown[];
};

/** OpenAI's limit. */
const MAX_NAME_LENGTH = 64;

/** Deterministic: a longer conversation keeps its prefix, except for cache markers. */
export function toBody(request: ModelRequest, quirks: Quirks): Body {
  return {
    model: request.model,
    messages: quirks.marksCache ? markCache(toMessages(request, quirks)) : toMessages(request, quirks),
    ...(request.tools.length > 0 && { tools: request.tools.map(toTool) }),
    stream: true,
    ...(quirks.asksForUsage && { stream_options: { include_usage: true } }),
    // OpenRouter then states the cost.
    ...(quirks.returnsDetails && { usage: { include: true } }),
    ...(request.maxOutputTokens !== undefined && { [quirks.tokenCap]: request.maxOutputTokens }),
    ...defined({ temperature: request.temperature, top_p: request.topP }),
    ...toEffort(request, quirks),
  };
}

function toEffort({ model, effort, thinkingTokens }: ModelRequest, quirks: Quirks): object {
  if (thinkingTokens !== undefined && quirks.effort === 'reasoning_effort') {
    return { reasoning_effort: levelOfTokens(model, thinkingTokens) };
  }
  if (quirks.effort === 'openrouter') {
    if (thinkingTokens !== undefined) {
      return { reasoning: thinkingTokens === 0 ? { enabled: false } : { max_tokens: thinkingTokens } };
    }
    return effort === undefined ? {} : { reasoning: { effort: REASONING_EFFORT[effort] } };
  }
  if (thinkingTokens !== undefined) {
    return thinkingTokens === 0
      ? { enable_thinking: false }
      : { enable_thinking: true, thinking_budget: thinkingTokens };
  }
  if (effort === undefined || quirks.effort === undefined) return {};
  if (quirks.effort === 'reasoning_effort') return { reasoning_effort: REASONING_EFFORT[effort] };
  return { enable_thinking: true, thinking_budget: THINKING_TOKENS[effort] };
}

function toMessages({ system, messages }: ModelRequest, quirks: Quirks): Message[] {
  return [
    ...(system === '' ? [] : [{ role: 'system' as const, content: system }]),
    ...pairToolResults(messages).flatMap((message) => toMessage(message, quirks)),
  ];
}

function toMessage(message: ModelMessage, quirks: Quirks): Message[] {
  if (message.role === 'tool') return toToolMessages(message.results);
  if (message.role === 'assistant') return [toAssistantMessage(message.content, quirks)];
  return [{ role: 'user', content: toUserContent(message.content) }];
}

/** Many local endpoints only accept a plain string. */
function toUserContent(parts: readonly UserPart[]): string | OpenAI.ChatCompletionContentPart[] {
  if (parts.every((part) => part.type === 'text')) return textOf(parts);
  return parts.map((part): OpenAI.ChatCompletionContentPart => {
    if (part.type === 'text') return { type: 'text', text: part.text };
    const url = part.type === 'image' ? `data:${part.mediaType};base64,${part.data}` : part.url;
    return { type: 'image_url', image_url: { url } };
  });
}

function toAssistantMessage(parts: readonly AssistantPart[], quirks: Quirks): AssistantMessage {
  const calls = parts.filter((part) => part.type === 'tool_call');
  const text = parts
    .filter((part) => part.type === 'text')
    .map((part) => part.text)
    .join('');
  const thinking = parts
    .filter((part) => part.type === 'thinking')
    .map((part) => part.text)
    .join('');
  const details = quirks.returnsDetails ? detailsOf(parts) : [];
  return {
    role: 'assistant',
    // Some chat templates render an empty string as an empty turn.
    content: text === '' && calls.length > 0 ? null : text,
    ...(returnsThinking(thinking, quirks) && { reasoning_content: thinking }),
    ...(details.length > 0 && { reasoning_details: details }),
    ...(calls.length > 0 && {
      tool_calls: calls.map(({ id, name, input, signature }) => ({
        id,
        type: 'function' as const,
        // Endpoints require an object, even for a rejected call.
        function: { name: toToolName(name), arguments: JSON.stringify(isJsonObject(input) ? input : {}) },
        ...(quirks.returnsCallSignatures &&
          signature !== undefined &&
          !isOpaque(signature) && { extra_content: { google: { thought_signature: signature } } }),
      })),
    }),
  };
}

function returnsThinking(thinking: string, { returnsThinking: when }: Quirks): boolean {
  return when === 'always' || (when === 'if-any' && thinking !== '');
}

function detailsOf(parts: readonly AssistantPart[]): unknown[] {
  return parts.flatMap((part) =>
    part.type === 'thinking' && isOpaqueLine('details', part.signature ?? '')
      ? readOpaqueLines('details', part.signature ?? '').flat()
      : [],
  );
}

/** Tool messages contain text only; images follow in one user message. */
function toToolMessages(results: readonly ToolResultPart[]): Message[] {
  const images = results.flatMap(({ name, content }) => {
    const found = content.filter((part) => part.type !== 'text');
    return found.length === 0 ? [] : [{ type: 'text' as const, text: `Images from ${name}:` }, ...found];
  });
  return [
    ...results.map(
      ({ callId, content }): Message => ({
        role: 'tool',
        tool_call_id: callId,
        content: textOf(content) || (content.some(({ type }) => type !== 'text') ? 'The image follows.' : ''),
      }),
    ),
    ...(images.length === 0 ? [] : [{ role: 'user' as const, content: toUserContent(images) }]),
  ];
}

function toTool({ name, description, inputSchema }: ToolDeclaration): OpenAI.ChatCompletionTool {
  return { type: 'function', function: { name, description, parameters: { ...inputSchema } } };
}

/** An invalid name must not make the history unacceptable. */
function toToolName(name: string): string {
  return name.replaceAll(/[^a-zA-Z0-9_-]/g, '_').slice(0, MAX_NAME_LENGTH) || 'unnamed';
}

function textOf(parts: readonly UserPart[]): string {
  return parts
    .filter((part) => part.type === 'text')
    .map((part) => part.text)
    .join('\n');
}
