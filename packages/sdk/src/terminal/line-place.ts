import type { ChunkLine, CompletionLine } from '@qwen/protocol/openai';
import type { EventPlace } from './events.js';

const ID_PREFIX = 'chatcmpl-';

/** Where a completion line belongs (GAP-15); a line without metadata has its session in its id (B-04). */
export function placeOf({ id, metadata }: Pick<CompletionLine | ChunkLine, 'id' | 'metadata'>): EventPlace {
  const { session_id: named, prompt_id: promptId, parent_tool_call_id: parent } = metadata ?? {};
  const sessionId = named ?? (id.startsWith(ID_PREFIX) ? id.slice(ID_PREFIX.length) : undefined);
  return {
    ...(sessionId !== undefined && { sessionId }),
    ...(promptId != null && { promptId }),
    ...(parent != null && { parentToolCallId: parent }),
  };
}

/** The same as one word: messages of different places may arrive in turns. */
export function placeKey({ sessionId = '', promptId = '', parentToolCallId = '' }: EventPlace): string {
  return JSON.stringify([sessionId, promptId, parentToolCallId]);
}
