import type { SDKMessage, SDKResultMessage } from '../agent-messages.js';
import type { ContentBlock } from '../content.js';
import { toClaudeMode } from '../modes.js';
import { toolNameIn } from './tool-table.js';

/**
 * The message with the tool names of Claude Code, `permissionMode` and `errors`. A changed call keeps the name on the
 * wire as `raw_name`.
 */
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
      if (message.subtype !== 'init') return message;
      return {
        ...message,
        tools: [...new Set(message.tools.map(toClaudeName))],
        permissionMode: toClaudeMode(message.permission_mode) ?? message.permission_mode,
      };
    case 'result': {
      const denials = message.permission_denials.map((denial) => ({
        ...denial,
        tool_name: toClaudeName(denial.tool_name),
      }));
      if (!message.is_error) return { ...message, permission_denials: denials };
      return { ...message, permission_denials: denials, errors: [message.error.message] };
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

/** The error that the Claude Agent SDK reports for an interrupted turn. */
export function interruptionError(message: SDKResultMessage): { message: string; code: string } {
  const reason = message.subtype === 'interrupted' ? message.interrupt_reason : undefined;
  const why = reason === undefined ? '.' : `: ${reason}`;
  return { message: `The turn was interrupted${why}`, code: 'interrupted' };
}
