import type { ContentBlock, Usage } from '@qwen/protocol';
import type { PublicEventBody } from '@qwen/protocol/server';

/** Where a message belongs, as each of its events says it. */
export interface MessagePlace {
  readonly session_thread_id: string;
  readonly turn_id?: string | undefined;
  readonly message_id: string;
  readonly parent_tool_use_id?: string | null | undefined;
}

export interface WholeMessage {
  readonly model: string;
  readonly content: readonly ContentBlock[];
  readonly stopReason: string | null;
  readonly usage?: Usage | undefined;
}

/** The whole events of an answer, the same with and without increments: thinking, message, tool calls. */
export function wholeMessage(
  place: MessagePlace,
  { model, content, stopReason, usage }: WholeMessage,
): readonly PublicEventBody[] {
  const thoughts: PublicEventBody[] = [];
  const calls: PublicEventBody[] = [];
  for (const [index, block] of content.entries()) {
    if (block.type === 'thinking') {
      const { thinking, signature } = block;
      thoughts.push({ ...place, type: 'agent.thinking', index, thinking, ...(signature !== '' && { signature }) });
    }
    if (block.type === 'tool_use') {
      const { id, name, input } = block;
      calls.push({ ...place, type: 'agent.tool_use', index, tool_use_id: id, name, input });
    }
  }
  const whole: PublicEventBody = {
    ...place,
    type: 'agent.message',
    model,
    content: [...content],
    stop_reason: stopReason,
    ...(usage !== undefined && { usage }),
  };
  return [...thoughts, whole, ...calls];
}
