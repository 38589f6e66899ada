import { type ControlFrame, type ControlLine, toControlLine } from '../control-frames.js';
import { toWireError } from '../errors.js';
import { isJsonObject, type JsonObject } from '../json-object.js';

export interface ControlOrigin {
  readonly sessionId: string;
  readonly promptId?: string;
}

/** A control line with the members of all documents, so that clients of any of them can read it. */
export function toOpenAiControlLine(frame: ControlFrame, origin: ControlOrigin): ControlLine & JsonObject {
  const ids = { session_id: origin.sessionId, ...(origin.promptId !== undefined && { prompt_id: origin.promptId }) };
  switch (frame.kind) {
    case 'request':
      return { ...toControlLine(frame), ...ids, subtype: frame.subtype, ...flatQuestion(frame.payload) };
    case 'response':
      return { ...toControlLine(frame), ...ids, request_id: frame.requestId, response: answerOf(frame) };
    case 'cancel':
      return { ...toControlLine(frame), ...ids };
  }
}

function flatQuestion(payload: unknown): JsonObject {
  if (!isJsonObject(payload) || typeof payload['tool_name'] !== 'string') return {};
  const { tool_name: name, input, reason } = payload;
  return { tool: { name, arguments: input ?? {} }, metadata: { reason: reason ?? null } };
}

type AnswerBody = Extract<ControlLine, { type: 'control_response' }>['response'] & JsonObject;

function answerOf(frame: Extract<ControlFrame, { kind: 'response' }>): AnswerBody {
  const { requestId } = frame;
  if (!frame.ok) return { subtype: 'error', request_id: requestId, error: toWireError(frame.error) };
  const response = frame.result ?? null;
  return { subtype: 'success', request_id: requestId, response, result: withRfcWord(response) };
}

const RFC_WORDS: ReadonlyMap<unknown, string> = new Map([
  ['allow', 'approve'],
  ['deny', 'deny'],
]);

function withRfcWord(result: unknown): unknown {
  if (!isJsonObject(result)) return result;
  const word = RFC_WORDS.get(result['behavior']);
  return word === undefined ? result : { ...result, behavior: word };
}
