import { AgentError, type ContentBlock, type SDKMessage, type SDKUserMessage, type ToolUseBlock } from '@qwen/protocol';
import * as z from 'zod/mini';

/** The tool through which the peer's CLI calls tools that it loads late. */
const CALLING_TOOL = 'tool_call';

const wrappedCallSchema = z.object({ name: z.string(), arguments: z.record(z.string(), z.unknown()) });

/**
 * Shows a call that the peer's CLI wraps as `tool_call {name, arguments}` as the call that it is. The name on the wire
 * stays in `raw_name`. Pieces of an answer, which come before the whole name is known, stay as they are.
 */
export function unwrapToolCalls(message: SDKMessage): SDKMessage {
  if (message.type !== 'assistant') return message;
  const { content } = message.message;
  if (!content.some(isWrapped)) return message;
  return { ...message, message: { ...message.message, content: content.map(unwrap) } };
}

/** Throws `unsupported_by_cli` for a message with an image: the peer's CLI would show the model its bytes as text. */
export function refuseImages({ message }: SDKUserMessage): void {
  if (typeof message.content === 'string' || !message.content.some(({ type }) => type === 'image')) return;
  throw new AgentError('unsupported_by_cli', 'This CLI takes no images: it would hand them to the model as text.');
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
