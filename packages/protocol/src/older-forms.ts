import { isJsonObject, type JsonObject } from './json-object.js';

// Spellings of earlier documents of this protocol and of Claude's agent SDK: read, never written.

/** The flat form of a tool question: `tool{name, arguments}` and `metadata.reason`. */
export function readFlatToolQuestion(payload: JsonObject, requestId: string): JsonObject {
  const { tool, metadata, ...rest } = payload;
  if (!isJsonObject(tool) || 'tool_name' in payload) return payload;
  return {
    ...rest,
    tool_name: tool['name'],
    // This form names no call; the request id stands in, for there is one question a call.
    tool_use_id: rest['tool_use_id'] ?? requestId,
    input: tool['arguments'],
    ...(isJsonObject(metadata) && { reason: metadata['reason'] }),
  };
}

/** `approve` and `reject` are `allow` and `deny`. Any further word is left for the schema to refuse. */
export function readVerdictWords(result: JsonObject): JsonObject {
  if (result['behavior'] === 'approve') return { ...result, behavior: 'allow' };
  if (result['behavior'] === 'reject') return { ...result, behavior: 'deny' };
  return result;
}

/** A confirmation that was answered with the verdict of a tool question: yes counts once, anything else is no. */
export function readConfirmationVerdict(answer: JsonObject): JsonObject {
  if (answer['confirmationOutcome'] !== undefined || typeof answer['behavior'] !== 'string') return answer;
  const isYes = readVerdictWords(answer)['behavior'] === 'allow';
  return { ...answer, confirmationOutcome: isYes ? 'proceed_once' : 'cancel' };
}

/** Claude's agent SDK sends a system prompt in pieces; its empty one means that the app chose none. */
export function readPromptPieces(payload: JsonObject): JsonObject {
  const { systemPrompt } = payload;
  if (!Array.isArray(systemPrompt) || !systemPrompt.every((piece) => typeof piece === 'string')) return payload;
  return { ...payload, systemPrompt: systemPrompt.filter((piece) => piece !== '').join('\n\n') };
}

const CLAUDE_MODES: ReadonlyMap<unknown, string> = new Map([
  ['acceptEdits', 'auto-edit'],
  ['bypassPermissions', 'yolo'],
]);

/** Claude's words for two of the modes. Its others have no equal here and are left for the schema to refuse. */
export function readClaudeMode(payload: JsonObject): JsonObject {
  const mode = CLAUDE_MODES.get(payload['mode']);
  return mode === undefined ? payload : { ...payload, mode };
}

/** The output inside of `{result, callback_id}`, whatever it is: the schema judges it. */
export function readWrappedHookOutput(answer: JsonObject): unknown {
  return 'callback_id' in answer && 'result' in answer ? (answer['result'] ?? {}) : answer;
}
