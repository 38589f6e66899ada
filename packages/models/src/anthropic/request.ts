import { isJsonObject } from '@qwen/protocol';
import { effortSetting, THINKING_TOKENS } from '../effort.js';
import type { AssistantPart, ModelMessage, ModelRequest, ToolDeclaration, ToolResultPart, UserPart } from '../parts.js';
import { pairToolResults } from '../response/pair-tool-results.js';
import { splitThinking } from './thinking.js';

export interface RequestOptions {
  /** The current version of the public endpoint refuses `temperature` and `top_p`. */
  readonly allowsSampling: boolean;
  readonly marksCache: boolean;
}

type Block = { readonly type: string; readonly [member: string]: unknown };
interface Message {
  readonly role: 'user' | 'assistant';
  readonly content: Block[];
}

const CACHED = { cache_control: { type: 'ephemeral' } } as const;
const MAX_NAME_LENGTH = 64;
const EMPTY: Block = { type: 'text', text: '(empty)' };

/** Deterministic: a longer conversation keeps its prefix, except for cache markers. */
export function toBody(request: ModelRequest, { allowsSampling, marksCache }: RequestOptions): object {
  const { model, system, tools, temperature, topP, maxOutputTokens } = request;
  const messages = joinRoles(pairToolResults(request.messages).flatMap(toMessage));
  const maxTokens = maxOutputTokens ?? defaultMaxTokens(model);
  const mark = marksCache ? CACHED : {};
  if (marksCache) markMessages(messages);
  return {
    model,
    max_tokens: maxTokens,
    ...(system !== '' && { system: [{ type: 'text', text: system, ...mark }] }),
    messages,
    ...(tools.length > 0 && {
      tools: tools.map((tool, index) => ({ ...toTool(tool), ...(index === tools.length - 1 && mark) })),
    }),
    stream: true,
    ...(allowsSampling && temperature !== undefined && { temperature }),
    ...(allowsSampling && topP !== undefined && { top_p: topP }),
    ...toThinking(request, maxTokens),
  };
}

/** The limit is required. Long answers need room; older models allow less. */
function defaultMaxTokens(model: string): number {
  if (/claude-3-(opus|sonnet|haiku)|claude-2/.test(model)) return 4_096;
  if (/claude-3-5/.test(model)) return 8_192;
  return /claude/.test(model) ? 32_000 : 16_384;
}

function toThinking({ model, effort, thinkingTokens }: ModelRequest, maxTokens: number): object {
  if (thinkingTokens === 0) return { thinking: { type: 'disabled' } };
  if (effortSetting({ family: 'anthropic' }, model) === 'anthropic_effort' && thinkingTokens === undefined) {
    return effort === undefined ? {} : { thinking: { type: 'adaptive' }, output_config: { effort } };
  }
  const wanted = thinkingTokens ?? (effort === undefined ? undefined : THINKING_TOKENS[effort]);
  // The budget must be at least 1,024 and below the limit of the answer.
  if (wanted === undefined || maxTokens <= 1_024) return {};
  return { thinking: { type: 'enabled', budget_tokens: Math.min(Math.max(wanted, 1_024), maxTokens - 1) } };
}

function toMessage(message: ModelMessage): Message[] {
  if (message.role === 'tool') return [{ role: 'user', content: message.results.map(toResult) }];
  if (message.role === 'assistant') return [{ role: 'assistant', content: message.content.flatMap(toAssistantBlocks) }];
  return [{ role: 'user', content: message.content.flatMap(toUserBlocks) }];
}

/** Roles must alternate, and no message may be empty. */
function joinRoles(messages: readonly Message[]): Message[] {
  const joined: Message[] = [];
  for (const { role, content } of messages) {
    const last = joined.at(-1);
    if (last?.role === role) last.content.push(...content);
    else joined.push({ role, content: [...content] });
  }
  return joined.map(({ role, content }) => ({ role, content: content.length > 0 ? content : [EMPTY] }));
}

function markMessages(messages: Message[]): void {
  const ends = messages.filter(({ role }) => role === 'user').slice(-2);
  for (const { content } of ends) {
    const last = content.at(-1);
    if (last !== undefined) content[content.length - 1] = { ...last, ...CACHED };
  }
}

function toUserBlocks(part: UserPart): Block[] {
  if (part.type === 'text') return part.text.trim() === '' ? [] : [{ type: 'text', text: part.text }];
  if (part.type === 'image') return [toImage({ type: 'base64', media_type: part.mediaType, data: part.data })];
  const inline = /^data:([^;,]+);base64,(.*)$/s.exec(part.url);
  if (inline === null) return [toImage({ type: 'url', url: part.url })];
  return [toImage({ type: 'base64', media_type: inline[1], data: inline[2] })];
}

function toImage(source: object): Block {
  return { type: 'image', source };
}

function toAssistantBlocks(part: AssistantPart): Block[] {
  if (part.type === 'text') return part.text.trim() === '' ? [] : [{ type: 'text', text: part.text }];
  if (part.type === 'thinking') return splitThinking(part);
  const { id, name, input } = part;
  return [{ type: 'tool_use', id: toId(id), name: toName(name), input: isJsonObject(input) ? input : {} }];
}

function toResult({ callId, content, isError }: ToolResultPart): Block {
  const blocks = content.flatMap(toUserBlocks);
  return {
    type: 'tool_result',
    tool_use_id: toId(callId),
    ...(blocks.length > 0 && { content: blocks }),
    ...(isError && { is_error: true }),
  };
}

function toTool({ name, description, inputSchema }: ToolDeclaration): object {
  return { name, description, input_schema: inputSchema };
}

/** Ids of other providers may contain other characters. */
function toId(id: string): string {
  return id.replaceAll(/[^\w-]/g, '_') || 'unnamed';
}

function toName(name: string): string {
  return toId(name).slice(0, MAX_NAME_LENGTH);
}
