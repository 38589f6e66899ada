import { existsSync } from 'node:fs';
import { join } from 'node:path';
import type { Configuration } from '../config/load-config.js';
import type { McpServiceApi } from '../service-apis.js';
import { COMMAND_NAMES } from './command-names.js';

/** Our own slash commands, and the prompts that MCP servers have now: known without loading anything. */
export function knownCommandNames({ servers }: Pick<McpServiceApi, 'servers'>): readonly string[] {
  const prompts = servers.flatMap(({ connection }) => connection?.prompts ?? []);
  return [...COMMAND_NAMES, ...prompts.map((one) => one.commandName)];
}

/** Where command files may lie, those of the project first. */
export function commandFolders({ cwd, qwenHome }: Configuration): { readonly project: string; readonly user: string } {
  return { project: join(cwd, '.qwen', 'commands'), user: join(qwenHome, 'commands') };
}

/** Whether there may be command files. */
export function hasCommandFiles(configuration: Configuration): boolean {
  const { project, user } = commandFolders(configuration);
  return existsSync(project) || existsSync(user);
}
