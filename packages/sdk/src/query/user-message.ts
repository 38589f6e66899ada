import type { SDKUserMessage } from '@qwen/protocol';

export function toUserMessage(content: SDKUserMessage['message']['content']): SDKUserMessage {
  return { type: 'user', message: { role: 'user', content }, parent_tool_use_id: null };
}

/** A prompt of one message, which may contain images. */
export async function* oneMessage(content: SDKUserMessage['message']['content']): AsyncGenerator<SDKUserMessage> {
  yield toUserMessage(content);
}
