import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { builtinCommands, CommandRegistry, topLevelNames } from '@qwen/commands';
import type { ContentBlock } from '@qwen/protocol';
import type { Configuration } from '../config/load-config.js';

interface PromptServer {
  readonly connection?: { readonly prompts: readonly { readonly commandName: string }[] } | undefined;
}

/** Built-in slash commands and the current MCP prompts. Synchronous: the answer to `initialize` needs it. */
export function knownCommandNames(
  servers: readonly PromptServer[],
  { disabledCommands }: Pick<Configuration, 'disabledCommands'> = {},
): readonly string[] {
  const prompts = servers.flatMap(({ connection }) => connection?.prompts ?? []);
  const builtin = new CommandRegistry([builtinCommands()], disabledCommands).list();
  const disabled = new Set(disabledCommands);
  const offered = prompts.map((one) => one.commandName).filter((name) => !disabled.has(name));
  return [...topLevelNames(builtin).toSorted(), ...offered];
}

/** The folders of qwen, then those of Claude Code. */
export function commandFolders({ cwd, configDir, homeDirectory }: Configuration) {
  const claude = join('.claude', 'commands');
  return {
    project: [join(cwd, '.qwen', 'commands'), join(cwd, claude)],
    user: [join(configDir, 'commands'), join(homeDirectory, claude)],
  };
}

/** Skills are commands too. */
export function hasCommandFiles(configuration: Configuration): boolean {
  const { project, user } = commandFolders(configuration);
  if (configuration.settings.plugins.some(({ commandFolders: folders }) => folders.length > 0)) return true;
  return configuration.skillFiles.skills.length > 0 || [...project, ...user].some((folder) => existsSync(folder));
}

export function mayBeCommand(text: string): boolean {
  return /^\s*[/?]/.test(text);
}

export function mayReferToFiles(content: string | readonly ContentBlock[]): boolean {
  if (typeof content === 'string') return content.includes('@');
  return content.some((block) => block.type === 'text' && block.text.includes('@'));
}

export function needsCommands(content: string | readonly ContentBlock[]): boolean {
  return mayReferToFiles(content) || (typeof content === 'string' && mayBeCommand(content));
}
