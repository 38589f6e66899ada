import { parseCommandLine } from '@qwen/commands';
import type { NewMessage } from '../../core/session-service.js';
import { expandFileCommand } from '../commands/expand-file-command.js';
import type { SessionCommands } from '../commands/session-commands.js';

export interface PlanOptions {
  readonly sessionId: string;
  readonly commands: SessionCommands;
  readonly signal: AbortSignal;
}

/**
 * Expands command files here, where the rules for HTTP apply. The agent interprets everything else, such as its built-in
 * commands. Errors: those of {@link expandFileCommand}.
 */
export async function planMessage(
  message: string,
  { sessionId, commands, signal }: PlanOptions,
): Promise<Pick<NewMessage, 'content' | 'prompt'>> {
  if (!/^\s*[/?]/.test(message)) return { content: message };
  const { registry, workspace, fileCommand } = await commands.open(sessionId);
  const invocation = parseCommandLine(message, registry);
  const found = invocation === undefined ? undefined : registry.match(invocation.path);
  const file = found === undefined ? undefined : fileCommand(found.command);
  if (invocation === undefined || file === undefined) return { content: message };
  const { prompt } = await expandFileCommand(file, { workspace, args: invocation.args, signal });
  return { content: message, prompt };
}
