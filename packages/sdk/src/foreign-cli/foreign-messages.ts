import { AgentError, type ContentBlock, type SDKMessage, type SDKUserMessage, type ToolUseBlock } from '@qwen/protocol';
import * as z from 'zod/mini';

const CALLING_TOOL = 'tool_call';

const wrappedCallSchema = z.lazy(() => z.object({ name: z.string(), arguments: z.record(z.string(), z.unknown()) }));

/** `raw_name` keeps the name on the wire. Partial messages stay wrapped: their name is incomplete. */
export function unwrapToolCalls(message: SDKMessage): SDKMessage {
  if (message.type !== 'assistant') return message;
  const { content } = message.message;
  if (!content.some(isWrapped)) return message;
  return { ...message, message: { ...message.message, content: content.map(unwrap) } };
}

/** qwen-code would send the bytes as text. */
export function refuseImages({ message }: SDKUserMessage): void {
  if (typeof message.content === 'string' || !message.content.some(({ type }) => type === 'image')) return;
  throw new AgentError('unsupported_by_cli', 'This CLI does not support images: it would send them as text.');
}

function isWrapped(block: ContentBlock): block is ToolUseBlock {
  return block.type === 'tool_use' && 'name' in block && block.name === CALLING_TOOL;
}

function unwrap(block: ContentBlock): ContentBlock {
  if (!isWrapped(block)) return block;
  const call = wrappedCallSchema.safeParse(block.input);
  if (!call.success) return block;
  return { ...block, name: call.data.name, input: call.data.arguments, raw_name: block.name };
}
