import type { ContentDelta, SDKMessage, SDKPartialAssistantMessage } from '@qwen/protocol';

/** Joins two adjacent deltas of the same block, keeping the first id. Undefined if they cannot be joined. */
export function mergeDeltas(previous: SDKMessage, next: SDKMessage): SDKMessage | undefined {
  if (previous.type !== 'stream_event' || next.type !== 'stream_event') return undefined;
  const { event } = previous;
  if (event.type !== 'content_block_delta' || next.event.type !== 'content_block_delta') return undefined;
  if (event.index !== next.event.index || !haveSameOwner(previous, next)) return undefined;
  const delta = joinDeltas(event.delta, next.event.delta);
  return delta === undefined ? undefined : { ...previous, event: { ...event, delta } };
}

function haveSameOwner(previous: SDKPartialAssistantMessage, next: SDKPartialAssistantMessage): boolean {
  return (
    previous.session_id === next.session_id &&
    previous.message_id === next.message_id &&
    (previous.parent_tool_use_id ?? null) === (next.parent_tool_use_id ?? null)
  );
}

function joinDeltas(first: ContentDelta, second: ContentDelta): ContentDelta | undefined {
  if (first.type === 'text_delta' && second.type === 'text_delta') return { ...first, text: first.text + second.text };
  if (first.type === 'thinking_delta' && second.type === 'thinking_delta') {
    return { ...first, thinking: first.thinking + second.thinking };
  }
  if (first.type === 'input_json_delta' && second.type === 'input_json_delta') {
    return { ...first, partial_json: first.partial_json + second.partial_json };
  }
  return undefined;
}
