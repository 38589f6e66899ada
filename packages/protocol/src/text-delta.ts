import type { SDKPartialAssistantMessage } from './agent-messages.js';
import { isJsonObject, type JsonObject } from './json-object.js';

/**
 * True for a `stream_event` line that holds a piece of text: nearly every line of a streamed answer. It accepts no
 * line that the schema refuses (a property test compares the two) and costs a tenth of it, which 20,000 pieces feel.
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
