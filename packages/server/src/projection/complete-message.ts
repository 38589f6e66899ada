import type { ContentBlock, Usage } from '@qwen/protocol';
import type { PublicEventBody } from '@qwen/protocol/server';

export interface MessageScope {
  readonly session_thread_id: string;
  readonly turn_id?: string | undefined;
  readonly message_id: string;
  readonly parent_tool_use_id?: string | null | undefined;
}

export interface CompleteMessage {
  readonly model: string;
  readonly content: readonly ContentBlock[];
  readonly stopReason: string | null;
  readonly usage?: Usage | undefined;
}

/** The same with and without increments. */
export function completeMessage(
  scope: MessageScope,
  { model, content, stopReason, usage }: CompleteMessage,
): readonly PublicEventBody[] {
  const thoughts: PublicEventBody[] = [];
  const calls: PublicEventBody[] = [];
  for (const [index, block] of content.entries()) {
    if (block.type === 'thinking') {
      const { thinking, signature } = block;
      thoughts.push({ ...scope, type: 'agent.thinking', index, thinking, ...(signature !== '' && { signature }) });
    }
    if (block.type === 'tool_use') {
      const { id, name, input } = block;
      calls.push({ ...scope, type: 'agent.tool_use', index, tool_use_id: id, name, input });
    }
  }
  const message: PublicEventBody = {
    ...scope,
    type: 'agent.message',
    model,
    content: [...content],
    stop_reason: stopReason,
    ...(usage !== undefined && { usage }),
  };
  return [...thoughts, message, ...calls];
}
