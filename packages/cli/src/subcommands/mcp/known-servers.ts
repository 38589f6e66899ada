import { join } from 'node:path';
import { findConfigDir } from '@qwen/host/config/config-dir.js';
import { loadSettings } from '@qwen/host/config/load-settings.js';
import { type McpServerChoice, type McpServerDefinition, withSettingsServers } from '@qwen/host/config/mcp-servers.js';
import { PROJECT_FILE } from '@qwen/host/mcp/discover-servers.js';
import { readServerFile } from '@qwen/host/mcp/server-file.js';
import { AgentError, escapeHidden, nearestName } from '@qwen/protocol';
import type { SubcommandOptions } from '../subcommand.js';

export async function knownServers(options: SubcommandOptions): Promise<McpServerChoice> {
  const { environment, cwd, printError } = options;
  const [settings, ofProject] = await Promise.all([
    loadSettings({ configDir: findConfigDir(environment, cwd), cwd, flags: {} }),
    readServerFile(join(cwd, PROJECT_FILE), 'mcp_json'),
  ]);
  for (const { message } of settings.notices) printError(message);
  const choice = withSettingsServers({ inApp: [], outside: {} }, settings.mcpServers);
  return { ...choice, outside: { ...ofProject.outside, ...choice.outside } };
}

/** Throws `usage` if it is unknown. */
export async function knownServer(name: string, options: SubcommandOptions): Promise<McpServerDefinition> {
  const { outside } = await knownServers(options);
  const found = Object.hasOwn(outside, name) ? outside[name] : undefined;
  if (found !== undefined) return found;
  const near = nearestName(name, Object.keys(outside));
  const hint = near === undefined ? 'see qwen mcp list' : `did you mean "${near}"?`;
  throw new AgentError('usage', `mcp: there is no MCP server "${name}"; ${hint}`);
}

/**
 * One line. Of a server that the repository defines, everything, because users approve it by this line; of others,
 * neither headers nor variables, which may contain their secrets.
 */
export function describePlace({ config, origin }: McpServerDefinition): string {
  const { command, args = [], url, httpUrl, tcp } = config;
  const place =
    command === undefined
      ? (url ?? httpUrl ?? tcp ?? '')
      : [command, ...args].map((word) => (/^[\w./:@=-]+$/.test(word) ? word : JSON.stringify(word))).join(' ');
  const others = Object.entries(config).filter(
    ([name, value]) => name !== 'command' && name !== 'args' && value !== undefined && value !== place,
  );
  const isWhole = origin !== 'mcp_json' || others.length === 0;
  return escapeHidden(isWhole ? place : `${place} ${JSON.stringify(Object.fromEntries(others))}`);
}
