import { describeIssue } from '../describe-issue.js';
import { AgentError } from '../errors.js';
import { type Frame, readFrame } from '../frame.js';
import { isJsonObject } from '../json-object.js';
import type { ChatRequest, OpenAiMessage } from './chat-request.js';
import { readChatRequest } from './read-chat-request.js';
import { TYPED_REQUEST_SCHEMAS, type TypedRequest } from './typed-requests.js';

/** Everything a client's line may be, in any dialect. */
export type InputLine =
  | Frame
  | { readonly kind: 'chat'; readonly request: ChatRequest; readonly history: readonly OpenAiMessage[] }
  | { readonly kind: 'typed'; readonly request: TypedRequest };

const CHAT_MEMBERS = ['input', 'messages', 'tool_request'];

/**
 * Reads a client's line: by `type`, else as a chat request. Never throws: an unreadable line is `invalid`, an
 * unknown `type` is `unknown`.
 */
export function readInputLine(text: string): InputLine {
  return readFurther(readFrame(text), text);
}

/** The same for a line that {@link readFrame} could not classify. */
export function readFurther(frame: Frame, text: string): InputLine {
  if (frame.kind === 'unknown') return readTyped(frame);
  // JSON without a `type` may be a chat request.
  if (frame.kind !== 'invalid' || frame.error.code !== 'invalid_message') return frame;
  const value: unknown = JSON.parse(text);
  if (!isJsonObject(value) || 'type' in value || !CHAT_MEMBERS.some((name) => name in value)) return frame;
  const read = readChatRequest(value);
  return AgentError.is(read) ? { kind: 'invalid', error: read } : { kind: 'chat', ...read };
}

function readTyped(frame: Extract<Frame, { readonly kind: 'unknown' }>): InputLine {
  const { type, value } = frame;
  if (!isTyped(type)) return frame;
  const parsed = TYPED_REQUEST_SCHEMAS[type].safeParse(value);
  if (parsed.success) return { kind: 'typed', request: parsed.data };
  return { kind: 'invalid', error: new AgentError('invalid_message', describeIssue(type, parsed.error)) };
}

function isTyped(type: string): type is TypedRequest['type'] {
  return Object.hasOwn(TYPED_REQUEST_SCHEMAS, type);
}
