import { describeIssue } from '../describe-issue.js';
import { AgentError } from '../errors.js';
import { isJsonObject, type JsonObject } from '../json-object.js';
import type { ChatPart } from './chat-parts.js';
import {
  type ChatRequest,
  chatRequestSchema,
  messagesRequestSchema,
  messageText,
  type OpenAiMessage,
} from './chat-request.js';
import { readToolArguments } from './tool-arguments.js';

/** A normalized request, and the messages that seed a new session. */
export interface ReadChatRequest {
  readonly request: ChatRequest;
  /** Earlier messages of the `{model, messages}` form; used only by a new session. */
  readonly history: readonly OpenAiMessage[];
}

/**
 * Reads a request in any form. Returns `invalid_message` or `invalid_tool_input` with the place of the error instead
 * of throwing.
 */
export function readChatRequest(line: JsonObject): ReadChatRequest | AgentError {
  try {
    const read = withArguments(line);
    return 'messages' in read && !('input' in read) ? readMessages(read) : readDelta(read);
  } catch (thrown) {
    return AgentError.from(thrown);
  }
}

function withArguments(line: JsonObject): JsonObject {
  const { tools, tool_request: request } = line;
  for (const [place, tool] of (Array.isArray(tools) ? tools : []).entries()) {
    const called: unknown = isJsonObject(tool) ? tool['function'] : undefined;
    if (isJsonObject(called)) readToolArguments(called['arguments'], `tools[${place}].function.arguments`);
  }
  if (!isJsonObject(request)) return line;
  return { ...line, tool_request: { ...request, args: readToolArguments(request['args'], 'tool_request.args') } };
}

function readDelta(line: JsonObject): ReadChatRequest | AgentError {
  const parsed = chatRequestSchema.safeParse(withOneForm(line));
  if (!parsed.success) return refusal(describeIssue('request', parsed.error));
  const { data: request } = parsed;
  const { origin } = request.input;
  if (origin === 'tool_response' && !request.tool_call_id) {
    return refusal('request.tool_call_id: expected string, because input.origin is "tool_response"');
  }
  return { request, history: [] };
}

/** `input` may omit its origin; its parts may be one part, one text or a list. */
function withOneForm(line: JsonObject): JsonObject {
  const { input = line['tool_request'] && {} } = line;
  if (typeof input === 'string') return { ...line, input: { origin: 'user', parts: [{ type: 'text', text: input }] } };
  if (!isJsonObject(input)) return line;
  const { origin, parts = [] } = input;
  const sender = origin ?? line['origin'] ?? (line['tool_call_id'] ? 'tool_response' : 'user');
  const list: readonly unknown[] = Array.isArray(parts) ? parts : [parts];
  return { ...line, input: { ...input, origin: sender, parts: list.map(toTypedPart) } };
}

/** Parts of `@google/genai` have no `type` and use camelCase. */
function toTypedPart(part: unknown): unknown {
  if (typeof part === 'string') return { type: 'text', text: part };
  if (!isJsonObject(part)) return part;
  if (part['type'] === 'text') return { ...part, text: part['text'] ?? '' };
  if (typeof part['type'] === 'string') return part;
  if (typeof part['text'] === 'string') return { ...part, type: 'text' };
  const { functionResponse, function_response: response = functionResponse } = part;
  if (isJsonObject(response)) return { type: 'function_response', function_response: response };
  const { inlineData, inline_data: bytes = inlineData } = part;
  if (isJsonObject(bytes)) return { type: 'inline_data', inline_data: withMimeType(bytes) };
  const { fileData, file_data: file = fileData } = part;
  if (isJsonObject(file))
    return { type: 'file_data', file_data: { ...withMimeType(file), file_uri: file['file_uri'] ?? file['fileUri'] } };
  return part;
}

function withMimeType(data: JsonObject): JsonObject {
  return { ...data, mime_type: data['mime_type'] ?? data['mimeType'] };
}

function readMessages(line: JsonObject): ReadChatRequest | AgentError {
  const parsed = messagesRequestSchema.safeParse(line);
  if (!parsed.success) return refusal(describeIssue('request', parsed.error));
  const { messages, temperature, ...head } = parsed.data;
  const last = messages.at(-1);
  if (last === undefined) return refusal('request.messages: expected at least one message');
  if (last.role !== 'user' && last.role !== 'tool') {
    return refusal(`request.messages.${messages.length - 1}.role: expected "user" or "tool" in the last message`);
  }
  if (last.role === 'tool' && !last.tool_call_id) {
    return refusal(`request.messages.${messages.length - 1}.tool_call_id: expected string`);
  }
  const options = head.options ?? (temperature == null ? undefined : { temperature });
  return {
    request: { ...head, ...(options && { options }), ...inputOf(last) },
    history: messages.slice(0, -1),
  };
}

function inputOf(last: OpenAiMessage): Pick<ChatRequest, 'input' | 'tool_call_id'> {
  if (last.role === 'user') return { input: { origin: 'user', parts: toParts(last.content) } };
  const { tool_call_id: id, name } = last;
  const response = { ...(id && { id }), ...(name && { name }), response: messageText(last) };
  return {
    input: { origin: 'tool_response', parts: [{ type: 'function_response', function_response: response }] },
    ...(id && { tool_call_id: id }),
  };
}

/** Other content is kept unchanged. */
function toParts(content: OpenAiMessage['content']): ChatPart[] {
  if (content == null) return [];
  if (typeof content === 'string') return [{ type: 'text', text: content }];
  return content.map((piece) => toImagePart(piece) ?? { type: 'text', text: piece.text ?? '' });
}

function toImagePart(piece: JsonObject): ChatPart | undefined {
  const image = piece['image_url'];
  if (piece['type'] !== 'image_url' || !isJsonObject(image) || typeof image['url'] !== 'string') return undefined;
  const [, type, data] = /^data:([^;,]+);base64,(.*)$/s.exec(image['url']) ?? [];
  if (type === undefined || data === undefined) return { type: 'file_data', file_data: { file_uri: image['url'] } };
  return { type: 'inline_data', inline_data: { mime_type: type, data } };
}

function refusal(message: string): AgentError {
  return new AgentError('invalid_message', message);
}
