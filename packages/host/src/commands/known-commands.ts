import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { builtinCommands, topLevelNames } from '@qwen/commands';
import type { Configuration } from '../config/load-config.js';

interface PromptServer {
  readonly connection?: { readonly prompts: readonly { readonly commandName: string }[] } | undefined;
}

/** Built-in slash commands and the current MCP prompts. Synchronous: the answer to `initialize` needs it. */
export function knownCommandNames(servers: readonly PromptServer[]): readonly string[] {
  const prompts = servers.flatMap(({ connection }) => connection?.prompts ?? []);
  return [...topLevelNames(builtinCommands().list()).toSorted(), ...prompts.map((one) => one.commandName)];
}

export function commandFolders({ cwd, configDir }: Configuration): { readonly project: string; readonly user: string } {
  return { project: join(cwd, '.qwen', 'commands'), user: join(configDir, 'commands') };
}

export function hasCommandFiles(configuration: Configuration): boolean {
  const { project, user } = commandFolders(configuration);
  return existsSync(project) || existsSync(user);
}
