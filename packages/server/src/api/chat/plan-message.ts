import { parseCommandLine } from '@qwen/commands';
import { AgentError, type ContentBlock } from '@qwen/protocol';
import type { ChatRequest } from '@qwen/protocol/server';
import type { NewMessage } from '../../core/session-service.js';
import { expandFileCommand } from '../commands/expand-file-command.js';
import type { SessionCommands } from '../commands/session-commands.js';

type Attachment = NonNullable<ChatRequest<'/api/chat/stream'>['attachments']>[number];

export interface PlanOptions {
  readonly sessionId: string;
  readonly commands: SessionCommands;
  readonly attachments?: readonly Attachment[] | undefined;
  readonly signal: AbortSignal;
}

/**
 * Expands command files here, where the rules for HTTP apply. The agent interprets everything else, such as its built-in
 * commands. Errors: those of {@link expandFileCommand}; `invalid_payload` for a command with attachments.
 */
export async function planMessage(
  message: string,
  { sessionId, commands, attachments = [], signal }: PlanOptions,
): Promise<Pick<NewMessage, 'content' | 'prompt'>> {
  const isCommand = /^\s*[/?]/.test(message);
  if (attachments.length > 0) {
    if (isCommand) throw new AgentError('invalid_payload', 'body.attachments: a command takes no attachments.');
    return { content: [{ type: 'text', text: message }, ...attachments.map(toBlock)] };
  }
  if (!isCommand) return { content: message };
  const { registry, workspace, fileCommand } = await commands.open(sessionId);
  const invocation = parseCommandLine(message, registry);
  const found = invocation === undefined ? undefined : registry.match(invocation.path);
  const file = found === undefined ? undefined : fileCommand(found.command);
  if (invocation === undefined || file === undefined) return { content: message };
  const { prompt } = await expandFileCommand(file, { workspace, args: invocation.args, signal });
  return { content: message, prompt };
}

function toBlock(attachment: Attachment): ContentBlock {
  if (attachment.type === 'text') {
    return { type: 'text', text: `<attached-file name="${attachment.name}">\n${attachment.text}\n</attached-file>` };
  }
  const { mediaType: media_type, data } = attachment;
  return { type: 'image', source: { type: 'base64', media_type, data } };
}
