import { CommandRegistry } from '@qwen/commands';
import type { ContentBlock } from '@qwen/protocol';
import type { ManagedServer } from './managed-server.js';
import { readArguments } from './prompt-arguments.js';

/** What a user's message may hold. */
export type PromptContent = string | readonly ContentBlock[];

/** The prompts of the servers as slash commands. */
function promptCommands(servers: readonly ManagedServer[]): CommandRegistry {
  const registry = new CommandRegistry();
  for (const server of servers) {
    for (const prompt of server.connection?.prompts ?? []) {
      // Names that only differ in their letters' case stand for the first one.
      if (registry.find(prompt.commandName) !== undefined) continue;
      registry.add({
        name: prompt.commandName,
        description: prompt.description,
        expand: async (words) => {
          const connection = await server.connect();
          return connection.getPrompt(prompt.name, readArguments(prompt.parameters, words));
        },
      });
    }
  }
  return registry;
}

/**
 * The message that a slash command stands for; undefined when the text begins with no command that we know. Rejects with
 * the reason why the command cannot be carried out.
 */
export async function expandCommand(
  text: string,
  servers: readonly ManagedServer[],
): Promise<PromptContent | undefined> {
  const [, word = '', rest = ''] = /^\/(\S+)\s*([^]*)$/.exec(text) ?? [];
  const command = promptCommands(servers).find(word);
  return command?.expand?.(rest.trimEnd());
}
