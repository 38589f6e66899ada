import type * as z from 'zod/mini';
import { MESSAGE_SCHEMAS, type SDKMessage } from './agent-messages.js';
import { type ControlFrame, readControlFrame } from './control-frames.js';
import { describeIssue } from './describe-issue.js';
import { AgentError } from './errors.js';
import { isJsonObject, type JsonObject } from './json-object.js';
import { initMessageSchema } from './system-messages.js';
import { isTextDelta } from './text-delta.js';

export type Frame =
  | { kind: 'control'; frame: ControlFrame }
  | { kind: 'message'; message: SDKMessage }
  /** An unknown type, unchanged: newer programs may send more. */
  | { kind: 'unknown'; type: string; value: object }
  | { kind: 'invalid'; error: AgentError };

const EXCERPT_LENGTH = 200;

/** Reads one line. Never throws: an unreadable line is `invalid` with `invalid_json` or `invalid_message`. */
export function readFrame(text: string): Frame {
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch {
    return invalid('invalid_json', 'The line is not JSON.', text);
  }
  if (!isJsonObject(value)) return invalid('invalid_message', 'The line is not a JSON object.', text);
  const type = value['type'];
  if (typeof type !== 'string') return invalid('invalid_message', 'type: expected string', text);
  return classify(type, value);
}

/** Whether an unreadable line began as a result: the turn it closes has no other end. */
export function isLostResult(text: string): boolean {
  return /^\s*\{\s*"type"\s*:\s*"result"\s*,/.test(text);
}

function classify(type: string, value: JsonObject): Frame {
  switch (type) {
    case 'control_request':
    case 'control_response':
    case 'control_cancel_request': {
      const frame = readControlFrame(value);
      return AgentError.is(frame) ? { kind: 'invalid', error: frame } : { kind: 'control', frame };
    }
    case 'user':
    case 'assistant':
    case 'system':
    case 'result':
    case 'stream_event': {
      if (isTextDelta(value)) return { kind: 'message', message: value };
      // The first message of each session: building the schemas of all news would delay it.
      const isInit = type === 'system' && value['subtype'] === 'init';
      const schema: z.ZodMiniType<SDKMessage> = isInit ? initMessageSchema : MESSAGE_SCHEMAS[type];
      const parsed = schema.safeParse(value);
      if (parsed.success) return { kind: 'message', message: parsed.data };
      return { kind: 'invalid', error: new AgentError('invalid_message', describeIssue(type, parsed.error)) };
    }
    default:
      return { kind: 'unknown', type, value };
  }
}

function invalid(code: 'invalid_json' | 'invalid_message', message: string, text: string): Frame {
  return {
    kind: 'invalid',
    error: new AgentError(code, message, { data: { excerpt: text.slice(0, EXCERPT_LENGTH) } }),
  };
}
