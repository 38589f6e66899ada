import type OpenAI from 'openai';
import { pairToolResults } from '../answer/pair-tool-results.js';
import { type EffortWords, effortWords, REASONING_EFFORT, THINKING_TOKENS } from '../effort.js';
import { isObject } from '../json.js';
import type { AssistantPart, ModelMessage, ModelRequest, ToolDeclaration, ToolResultPart, UserPart } from '../parts.js';

/** Where endpoints deviate in what they accept. What they send is read leniently for all of them. */
export interface Quirks {
  /** The member that caps the answer: OpenAI's reasoning models refuse the old name, most others the new one. */
  readonly tokenCap: 'max_tokens' | 'max_completion_tokens';
  /** Whether usage must be asked for. Mistral sends it unasked and answers 422 to the question. */
  readonly asksForUsage: boolean;
  /**
   * Whether every assistant message must repeat its thinking as `reasoning_content`. DeepSeek and Kimi answer 400 to a
   * history whose tool calls lack it; others do not want it.
   */
  readonly returnsThinking: boolean;
  /** How the model is told how much to think; undefined when it cannot be. */
  readonly effort: EffortWords | undefined;
}

/** What to do for this host and model. Gateways are told by the model's name. */
export function quirksOf(host: string, model: string): Quirks {
  return {
    tokenCap: isUnder(host, 'openai.com') ? 'max_completion_tokens' : 'max_tokens',
    asksForUsage: !isUnder(host, 'mistral.ai'),
    effort: effortWords({ family: 'openai-compatible', baseUrl: `https://${host}` }, model),
    returnsThinking:
      /deepseek|kimi/i.test(model) ||
      ['deepseek.com', 'moonshot.ai', 'moonshot.cn'].some((domain) => isUnder(host, domain)),
  };
}

function isUnder(host: string, domain: string): boolean {
  return host === domain || host.endsWith(`.${domain}`);
}

type Body = OpenAI.ChatCompletionCreateParamsStreaming;
type Message = OpenAI.ChatCompletionMessageParam;
/** What some endpoints want beyond OpenAI's own messages. */
type AssistantMessage = OpenAI.ChatCompletionAssistantMessageParam & { reasoning_content?: string };

/** The longest tool name that OpenAI takes. */
const MAX_NAME_LENGTH = 64;

/** The body of one call. The same request gives the same bytes, a longer conversation keeps its prefix. */
export function toBody(request: ModelRequest, quirks: Quirks): Body {
  return {
    model: request.model,
    messages: toMessages(request, quirks),
    ...(request.tools.length > 0 && { tools: request.tools.map(toTool) }),
    stream: true,
    ...(quirks.asksForUsage && { stream_options: { include_usage: true } }),
    ...(request.maxOutputTokens !== undefined && { [quirks.tokenCap]: request.maxOutputTokens }),
    ...(request.temperature !== undefined && { temperature: request.temperature }),
    ...(request.topP !== undefined && { top_p: request.topP }),
    ...toEffort(request, quirks),
  };
}

function toEffort({ effort }: ModelRequest, quirks: Quirks): object {
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

/** Text alone goes as a plain string: many local endpoints take nothing else. */
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
  return {
    role: 'assistant',
    // With calls and no text the content is null: some chat templates render an empty string as an empty turn.
    content: text === '' && calls.length > 0 ? null : text,
    ...(quirks.returnsThinking && { reasoning_content: thinking }),
    ...(calls.length > 0 && {
      tool_calls: calls.map(({ id, name, input }) => ({
        id,
        type: 'function' as const,
        // The arguments of a refused call may be anything; endpoints parse them and want an object.
        function: { name: toToolName(name), arguments: JSON.stringify(isObject(input) ? input : {}) },
      })),
    }),
  };
}

/** Tool messages carry text only; images follow in one user message after the last of them. */
function toToolMessages(results: readonly ToolResultPart[]): Message[] {
  const images = results.flatMap(({ name, content }) => {
    const found = content.filter((part) => part.type !== 'text');
    return found.length === 0 ? [] : [{ type: 'text' as const, text: `Images from ${name}:` }, ...found];
  });
  return [
    ...results.map(
      ({ callId, content }): Message => ({ role: 'tool', tool_call_id: callId, content: textOf(content) }),
    ),
    ...(images.length === 0 ? [] : [{ role: 'user' as const, content: toUserContent(images) }]),
  ];
}

function toTool({ name, description, inputSchema }: ToolDeclaration): OpenAI.ChatCompletionTool {
  return { type: 'function', function: { name, description, parameters: { ...inputSchema } } };
}

/** A name that the model made up must not make the history unacceptable (F76). */
function toToolName(name: string): string {
  return name.replaceAll(/[^a-zA-Z0-9_-]/g, '_').slice(0, MAX_NAME_LENGTH) || 'unnamed';
}

function textOf(parts: readonly UserPart[]): string {
  return parts
    .filter((part) => part.type === 'text')
    .map((part) => part.text)
    .join('\n');
}
