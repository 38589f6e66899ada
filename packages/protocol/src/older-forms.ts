import { isJsonObject, type JsonObject } from './json-object.js';
import { fromClaudeMode, isClaudeMode } from './modes.js';

// Forms of earlier protocol documents and of the Claude Agent SDK: read, never written.

export function readFlatToolQuestion(payload: JsonObject, requestId: string): JsonObject {
  const { tool, metadata, ...rest } = payload;
  if (!isJsonObject(tool) || 'tool_name' in payload) return payload;
  return {
    ...rest,
    tool_name: tool['name'],
    // This form has no call id; the request id replaces it, because each call has one question.
    tool_use_id: rest['tool_use_id'] ?? requestId,
    input: tool['arguments'],
    ...(isJsonObject(metadata) && { reason: metadata['reason'] }),
  };
}

/** `approve` and `reject` mean `allow` and `deny`. The schema rejects other words. */
export function readVerdictWords(result: JsonObject): JsonObject {
  if (result['behavior'] === 'approve') return { ...result, behavior: 'allow' };
  if (result['behavior'] === 'reject') return { ...result, behavior: 'deny' };
  return result;
}

/** A confirmation answered like a tool question: allow proceeds once, anything else cancels. */
export function readConfirmationVerdict(answer: JsonObject): JsonObject {
  if (answer['confirmationOutcome'] !== undefined || typeof answer['behavior'] !== 'string') return answer;
  const isYes = readVerdictWords(answer)['behavior'] === 'allow';
  return { ...answer, confirmationOutcome: isYes ? 'proceed_once' : 'cancel' };
}

/** The Claude Agent SDK sends system prompts in pieces; an empty one means none. */
export function readPromptPieces(payload: JsonObject): JsonObject {
  const { systemPrompt } = payload;
  if (!Array.isArray(systemPrompt) || !systemPrompt.every((piece) => typeof piece === 'string')) return payload;
  return { ...payload, systemPrompt: systemPrompt.filter((piece) => piece !== '').join('\n\n') };
}

/** In the mode `dontAsk` of Claude no one is asked. */
export function readModeChange(payload: JsonObject): JsonObject {
  return payload['mode'] === 'dontAsk' ? { ...payload, mode: 'default', asks: false } : readClaudeMode(payload);
}

/** Leaves other modes of Claude to the schema, which rejects them. */
export function readClaudeMode(payload: JsonObject): JsonObject {
  const { mode } = payload;
  return isClaudeMode(mode) && mode !== 'dontAsk' ? { ...payload, mode: fromClaudeMode(mode) } : payload;
}

export function readWrappedHookOutput(answer: JsonObject): unknown {
  return 'callback_id' in answer && 'result' in answer ? (answer['result'] ?? {}) : answer;
}
