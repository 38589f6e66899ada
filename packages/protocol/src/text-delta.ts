import type { SDKPartialAssistantMessage } from './agent-messages.js';
import { isJsonObject, type JsonObject } from './json-object.js';

/**
 * Fast check for a text delta, nearly every line of a streamed answer. Accepts no line that the schema rejects (a
 * property test compares both) and costs a tenth of it.
 */
export function isTextDelta(value: JsonObject): value is JsonObject & SDKPartialAssistantMessage {
  if (value['type'] !== 'stream_event' || !hasIds(value)) return false;
  const event = value['event'];
  if (!isJsonObject(event) || event['type'] !== 'content_block_delta' || !Number.isFinite(event['index'])) return false;
  const delta = event['delta'];
  return isJsonObject(delta) && delta['type'] === 'text_delta' && typeof delta['text'] === 'string';
}

function hasIds(line: JsonObject): boolean {
  const { uuid, session_id: sessionId, message_id: messageId, parent_tool_use_id: parent } = line;
  return (
    typeof uuid === 'string' &&
    typeof sessionId === 'string' &&
    (messageId === undefined || typeof messageId === 'string') &&
    (parent === undefined || parent === null || typeof parent === 'string')
  );
}
