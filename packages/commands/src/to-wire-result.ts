import type { ContentBlock } from '@qwen/protocol';
import type { ChatPart, CommandResult } from '@qwen/protocol/openai';
import type { CommandOutcome, PromptContent } from './command-outcome.js';
import { toChatMessages } from './conversation/chat-messages.js';

export function toWireResult(outcome: CommandOutcome): CommandResult {
  switch (outcome.type) {
    case 'tool':
      return { type: 'tool', tool_request: { name: outcome.toolRequest.name, args: { ...outcome.toolRequest.args } } };
    case 'submit_prompt':
      return {
        type: 'submit_prompt',
        parts: toChatParts(outcome.content),
        ...(outcome.warnings !== undefined && { warnings: [...outcome.warnings] }),
      };
    case 'load_history':
      return { type: 'load_history', history: toChatMessages(outcome.history).map((message) => ({ ...message })) };
    case 'quit':
      return { type: 'quit', messages: [...outcome.messages] };
    case 'confirm_shell_commands':
      return {
        type: 'confirm_shell_commands',
        commands_to_confirm: [...outcome.commands],
        original_invocation: { raw: outcome.rawInvocation },
      };
    case 'confirm_action':
      return {
        type: 'confirm_action',
        prompt: outcome.prompt,
        original_invocation: { raw: outcome.rawInvocation },
      };
    default:
      return outcome;
  }
}

/** Converts to chat request parts, so that hosts can send the prompt back. */
function toChatParts(content: PromptContent): ChatPart[] {
  if (typeof content === 'string') return [{ type: 'text', text: content }];
  return content.flatMap((block) => toChatPart(block));
}

function toChatPart(block: ContentBlock): ChatPart[] {
  if (block.type === 'text') return [{ type: 'text', text: block.text }];
  if (block.type !== 'image') return [];
  const { source } = block;
  return source.type === 'url'
    ? [{ type: 'file_data', file_data: { file_uri: source.url } }]
    : [{ type: 'inline_data', inline_data: { mime_type: source.media_type, data: source.data } }];
}
