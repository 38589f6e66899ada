import type { ChunkLine, CompletionLine } from '@qwen/protocol/openai';
import type { EventScope } from './events.js';

const ID_PREFIX = 'chatcmpl-';

/** A line without metadata has its session in its id. */
export function scopeOf({ id, metadata }: Pick<CompletionLine | ChunkLine, 'id' | 'metadata'>): EventScope {
  const { session_id: named, prompt_id: promptId, parent_tool_call_id: parent } = metadata ?? {};
  const sessionId = named ?? (id.startsWith(ID_PREFIX) ? id.slice(ID_PREFIX.length) : undefined);
  return {
    ...(sessionId !== undefined && { sessionId }),
    ...(promptId != null && { promptId }),
    ...(parent != null && { parentToolCallId: parent }),
  };
}

/** Messages of different scopes may interleave. */
export function scopeKey({ sessionId = '', promptId = '', parentToolCallId = '' }: EventScope): string {
  return JSON.stringify([sessionId, promptId, parentToolCallId]);
}
