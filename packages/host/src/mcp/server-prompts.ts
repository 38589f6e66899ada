import type { ServerPrompt } from '@qwen/commands';
import type { ManagedServer } from './managed-server.js';

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
