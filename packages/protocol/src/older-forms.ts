import { isJsonObject, type JsonObject } from './json-object.js';

// Spellings of earlier documents of this protocol: read, never written.

/** The flat form of a tool question: `tool{name, arguments}` and `metadata.reason` (J-16). */
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

/** `approve` and `reject` are `allow` and `deny` (CF-32). Any further word is left for the schema to refuse. */
export function readVerdictWords(result: JsonObject): JsonObject {
  if (result['behavior'] === 'approve') return { ...result, behavior: 'allow' };
  if (result['behavior'] === 'reject') return { ...result, behavior: 'deny' };
  return result;
}
