import { fillPrompt, type PromptContent, type ServerPrompt } from '@qwen/commands';
import type { ManagedServer } from './managed-server.js';

/** The prompts that servers have now, for slash commands. */
export function serverPrompts(servers: readonly ManagedServer[]): readonly ServerPrompt[] {
  return servers.flatMap((server) =>
    (server.connection?.prompts ?? []).map((prompt) => ({
      commandName: prompt.commandName,
      description: prompt.description,
      parameters: prompt.parameters,
      fill: async (values) => (await server.connect()).getPrompt(prompt.name, values),
    })),
  );
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
  const name = word.toLowerCase();
  const prompt = serverPrompts(servers).find(({ commandName }) => commandName.toLowerCase() === name);
  return prompt === undefined ? undefined : fillPrompt(prompt, rest.trimEnd());
}
