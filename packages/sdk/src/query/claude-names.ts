import { type ContentBlock, type SDKMessage, toolNameIn } from '@qwen/protocol';

/** The message with the tool names of Claude Code. A changed call keeps the name on the wire as `raw_name`. */
export function withClaudeNames(message: SDKMessage): SDKMessage {
  switch (message.type) {
    case 'assistant':
      return { ...message, message: { ...message.message, content: message.message.content.map(renameCall) } };
    case 'stream_event': {
      const { event } = message;
      if (event.type !== 'content_block_start') return message;
      return { ...message, event: { ...event, content_block: renameCall(event.content_block) } };
    }
    case 'system':
      return message.subtype === 'init'
        ? { ...message, tools: [...new Set(message.tools.map(toClaudeName))] }
        : message;
    case 'result': {
      const denials = message.permission_denials.map((denial) => ({
        ...denial,
        tool_name: toClaudeName(denial.tool_name),
      }));
      return { ...message, permission_denials: denials };
    }
    default:
      return message;
  }
}

function toClaudeName(name: string): string {
  return toolNameIn('claude', name);
}

function renameCall(block: ContentBlock): ContentBlock {
  if (block.type !== 'tool_use') return block;
  const name = toClaudeName(block.name);
  return name === block.name ? block : { ...block, name, raw_name: block.raw_name ?? block.name };
}
