import { describeIssue } from '../describe-issue.js';
import { AgentError } from '../errors.js';
import { type Frame, readFrame } from '../frame.js';
import { isJsonObject } from '../json-object.js';
import type { ChatRequest, OpenAiMessage } from './chat-request.js';
import { readChatRequest } from './read-chat-request.js';
import { TYPED_REQUEST_SCHEMAS, type TypedRequest } from './typed-requests.js';

/** Everything that a line of a host may be, in any dialect. */
export type InputLine =
  | Frame
  | { readonly kind: 'chat'; readonly request: ChatRequest; readonly history: readonly OpenAiMessage[] }
  | { readonly kind: 'typed'; readonly request: TypedRequest };

/** One of them tells a request to chat. */
const CHAT_MEMBERS = ['input', 'messages', 'tool_request'];

/**
 * Reads one line of a host: first by its `type`, then as a request to chat. Never throws: what cannot be read is
 * `invalid`, a `type` that we do not know is `unknown`.
 */
export function readInputLine(text: string): InputLine {
  return readFurther(readFrame(text), text);
}

/** The same for a line that {@link readFrame} has read already and could make nothing of. */
export function readFurther(frame: Frame, text: string): InputLine {
  if (frame.kind === 'unknown') return readTyped(frame);
  // What is JSON and has no `type` may be a request to chat.
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
