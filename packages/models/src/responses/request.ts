import { defined, isJsonObject } from '@qwen/protocol';
import { effortSetting, levelOfTokens, REASONING_EFFORT } from '../effort.js';
import type { AssistantPart, ModelMessage, ModelRequest, ToolDeclaration, ToolResultPart, UserPart } from '../parts.js';
import { readOpaqueLines } from '../response/opaque-lines.js';
import { pairToolResults } from '../response/pair-tool-results.js';

type Item = Readonly<Record<string, unknown>>;

const MAX_NAME_LENGTH = 64;

/** Deterministic: a longer conversation keeps its prefix. */
export function toBody(request: ModelRequest, cacheKey?: string): object {
  const { model, system, messages, tools, maxOutputTokens, temperature, topP } = request;
  return {
    model,
    ...(system !== '' && { instructions: system }),
    input: pairToolResults(messages).flatMap(toItems),
    ...(tools.length > 0 && { tools: tools.map(toTool) }),
    ...toReasoning(request),
    store: false,
    stream: true,
    ...defined({ prompt_cache_key: cacheKey, max_output_tokens: maxOutputTokens, temperature, top_p: topP }),
  };
}

/** Other models refuse these members. */
function toReasoning({ model, effort, thinkingTokens }: ModelRequest): object {
  if (effortSetting({ family: 'openai-responses' }, model) === undefined) return {};
  const asked = effort === undefined ? undefined : REASONING_EFFORT[effort];
  const level = thinkingTokens === undefined ? asked : levelOfTokens(model, thinkingTokens);
  return {
    reasoning: { summary: 'auto', ...(level !== undefined && { effort: level }) },
    include: ['reasoning.encrypted_content'],
  };
}

function toItems(message: ModelMessage): Item[] {
  if (message.role === 'tool') return message.results.map(toOutput);
  if (message.role === 'assistant') return message.content.flatMap(toAssistantItems);
  return [{ role: 'user', content: message.content.flatMap(toInput) }];
}

function toInput(part: UserPart): Item[] {
  if (part.type === 'text') return [{ type: 'input_text', text: part.text }];
  const url = part.type === 'image' ? `data:${part.mediaType};base64,${part.data}` : part.url;
  return [{ type: 'input_image', image_url: url, detail: 'auto' }];
}

/** Nothing is stored at the provider, so reasoning goes back unchanged, before the calls that it led to. */
function toAssistantItems(part: AssistantPart): Item[] {
  switch (part.type) {
    case 'text':
      return [{ role: 'assistant', content: [{ type: 'output_text', text: part.text }] }];
    case 'thinking':
      return readOpaqueLines('responses', part.signature ?? '').filter(isJsonObject);
    case 'tool_call': {
      const { id, name, input } = part;
      const json = JSON.stringify(isJsonObject(input) ? input : {});
      return [{ type: 'function_call', call_id: id, name: toName(name), arguments: json }];
    }
  }
}

function toOutput({ callId, content }: ToolResultPart): Item {
  const isText = content.every(({ type }) => type === 'text');
  const text = content.map((part) => (part.type === 'text' ? part.text : '')).join('\n');
  return { type: 'function_call_output', call_id: callId, output: isText ? text : content.flatMap(toInput) };
}

function toTool({ name, description, inputSchema }: ToolDeclaration): object {
  return { type: 'function', name, description, parameters: inputSchema, strict: false };
}

function toName(name: string): string {
  return name.replaceAll(/[^\w-]/g, '_').slice(0, MAX_NAME_LENGTH) || 'unnamed';
}
