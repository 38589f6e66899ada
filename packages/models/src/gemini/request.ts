import {
  type Content,
  type FunctionDeclaration,
  type GenerateContentConfig,
  type GenerateContentParameters,
  type Part,
  type ThinkingConfig,
  ThinkingLevel,
} from '@google/genai';
import { defined, isJsonObject } from '@qwen/protocol';
import { effortSetting, THINKING_TOKENS } from '../effort.js';
import type { Fetch } from '../http/capture-request.js';
import type { AssistantPart, ModelMessage, ModelRequest, ToolDeclaration, ToolResultPart, UserPart } from '../parts.js';
import { isOpaque } from '../response/opaque-lines.js';
import { pairToolResults } from '../response/pair-tool-results.js';

/** Google's documented value for calls by other models. */
const FOREIGN_CALL_SIGNATURE = 'skip_thought_signature_validator';
/** Without thinking; requesting thoughts returns 400. */
const WITHOUT_THOUGHTS = /gemini-(1\.|2\.0)|gemma|learnlm/;
/** Since Gemini 3, a function call without a signature fails with 400. */
const WITHOUT_CALL_SIGNATURES = /gemini-[12]\b|gemma|learnlm/;
const MEDIA_TYPES: ReadonlyMap<string, string> = new Map([
  ['png', 'image/png'],
  ['webp', 'image/webp'],
  ['gif', 'image/gif'],
]);

/** Deterministic: a longer conversation keeps its prefix. */
export function toParameters(request: ModelRequest, fetch: Fetch): GenerateContentParameters {
  const { model, messages } = request;
  return {
    model,
    contents: pairToolResults(messages).flatMap((message) => toContent(message, model)),
    config: toConfig(request, fetch),
  };
}

function toConfig(request: ModelRequest, fetch: Fetch): GenerateContentConfig {
  const { model, system, tools, maxOutputTokens, temperature, topP } = request;
  return {
    httpOptions: { fetch },
    automaticFunctionCalling: { disable: true },
    ...(system !== '' && { systemInstruction: system }),
    ...(tools.length > 0 && { tools: [{ functionDeclarations: tools.map(toDeclaration) }] }),
    ...(!WITHOUT_THOUGHTS.test(model) && { thinkingConfig: { includeThoughts: true, ...toEffort(request) } }),
    ...defined({ maxOutputTokens, temperature, topP }),
  };
}

function toEffort({ model, effort, thinkingTokens }: ModelRequest): ThinkingConfig {
  if (thinkingTokens !== undefined) return { thinkingBudget: thinkingTokens };
  if (effort === undefined) return {};
  switch (effortSetting({ family: 'gemini' }, model)) {
    case 'gemini_budget':
      return { thinkingBudget: THINKING_TOKENS[effort] };
    case 'gemini_level':
      return { thinkingLevel: effort === 'low' ? ThinkingLevel.LOW : ThinkingLevel.HIGH };
    default:
      return {};
  }
}

function toDeclaration({ name, description, inputSchema }: ToolDeclaration): FunctionDeclaration {
  return { name, description, parametersJsonSchema: inputSchema };
}

/** Gemini rejects contents without parts, so empty messages are omitted. */
function toContent(message: ModelMessage, model: string): readonly Content[] {
  if (message.role === 'tool') return contentOf('user', toResultParts(message.results));
  if (message.role === 'assistant') return contentOf('model', toAssistantParts(message.content, model));
  return contentOf('user', message.content.flatMap(toUserPart));
}

function contentOf(role: string, parts: Part[]): readonly Content[] {
  return parts.length === 0 ? [] : [{ role, parts }];
}

function toUserPart(part: UserPart): readonly Part[] {
  if (part.type === 'image') return [{ inlineData: { mimeType: part.mediaType, data: part.data } }];
  if (part.type === 'image_url') return [toImagePart(part.url)];
  return part.text === '' ? [] : [{ text: part.text }];
}

function toImagePart(url: string): Part {
  const inline = /^data:([^;,]+);base64,(.*)$/s.exec(url);
  if (inline?.[1] !== undefined && inline[2] !== undefined) {
    return { inlineData: { mimeType: inline[1], data: inline[2] } };
  }
  const extension = /\.(\w+)(?:[?#]|$)/.exec(url)?.[1]?.toLowerCase() ?? '';
  return { fileData: { fileUri: url, mimeType: MEDIA_TYPES.get(extension) ?? 'image/jpeg' } };
}

/** Thinking is sent back only with a signature. */
function toAssistantParts(parts: readonly AssistantPart[], model: string): Part[] {
  const needsSignature = !WITHOUT_CALL_SIGNATURES.test(model);
  const firstCall = parts.find((part) => part.type === 'tool_call');
  return parts.flatMap((part): Part[] => {
    if (part.type === 'text') return part.text === '' ? [] : [{ text: part.text }];
    // Only the first of parallel calls is signed and checked.
    const substitute = needsSignature && part === firstCall ? FOREIGN_CALL_SIGNATURE : undefined;
    const own = part.signature !== undefined && isOpaque(part.signature) ? undefined : part.signature;
    const thoughtSignature = own ?? substitute;
    if (part.type === 'tool_call')
      return [{ ...toCall(part), ...(thoughtSignature !== undefined && { thoughtSignature }) }];
    return thoughtSignature === undefined ? [] : [{ text: part.text, thought: true, thoughtSignature }];
  });
}

function toCall({ id, name, input }: Extract<AssistantPart, { type: 'tool_call' }>): Part {
  return { functionCall: { id, name, args: isJsonObject(input) ? input : {} } };
}

/** Images follow the responses, whose number must match the calls. */
function toResultParts(results: readonly ToolResultPart[]): Part[] {
  return [
    ...results.map(({ callId, name, content, isError }): Part => {
      const text = content
        .filter((part) => part.type === 'text')
        .map((part) => part.text)
        .join('\n');
      return { functionResponse: { id: callId, name, response: isError ? { error: text } : { output: text } } };
    }),
    ...results.flatMap(({ content }) => content.filter((part) => part.type !== 'text').flatMap(toUserPart)),
  ];
}
