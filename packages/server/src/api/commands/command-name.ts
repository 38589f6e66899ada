import { AgentError } from '@qwen/protocol';
import { toVisibleName } from '@qwen/tools';

/** The name that a request means, with or without the slash. */
export function toCommandName(command: string): string {
  return command.trim().replace(/^\//, '');
}

/** In the words of the document. */
export function unknownCommand(command: string): AgentError {
  return new AgentError('unknown_command', `Command not found: /${toVisibleName(toCommandName(command))}`);
}
