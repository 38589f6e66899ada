import { readFileSync } from 'node:fs';
import {
  AgentError,
  type CliMcpServerConfig,
  cliMcpServerConfigSchema,
  sdkMcpServerConfigSchema,
} from '@qwen/protocol';
import * as z from 'zod/mini';
import type { SettingsMcpServer } from './settings.js';

/**
 * Who named a server: the app in `initialize`, the command line, the user's settings, the settings of a project that is
 * trusted as a whole, or the `.mcp.json` of a project, whose servers are approved one by one.
 */
export type McpServerOrigin = 'app' | 'flag' | 'user' | 'project' | 'mcp_json';

/** A server that we would have to start or call. */
export interface McpServerDefinition {
  readonly config: CliMcpServerConfig;
  readonly origin: McpServerOrigin;
}

/** The MCP servers that a start, a settings file or an `initialize` names, by where they live. */
export interface McpServerChoice {
  /** Names of servers inside of the app. */
  readonly inApp: readonly string[];
  /** By name. */
  readonly outside: Readonly<Record<string, McpServerDefinition>>;
}

const mcpConfigSchema = z.looseObject({
  mcpServers: z.record(z.string(), z.union([sdkMcpServerConfigSchema, cliMcpServerConfigSchema])),
});

/** Servers of one origin as a choice. */
export function serversOf(
  origin: McpServerOrigin,
  configs: Readonly<Record<string, CliMcpServerConfig>>,
): McpServerChoice['outside'] {
  return Object.fromEntries(Object.entries(configs).map(([name, config]) => [name, { config, origin }]));
}

/** A choice with the servers of the settings behind it; of servers of one name the first one counts. */
export function withSettingsServers(choice: McpServerChoice, servers: readonly SettingsMcpServer[]): McpServerChoice {
  const outside: Record<string, McpServerDefinition> = {};
  for (const { name, config, origin } of servers) {
    // What a user put into a project's folder is not better protected than what the project says itself.
    if (!choice.inApp.includes(name)) outside[name] = { config, origin: origin === 'local' ? 'project' : origin };
  }
  return { inApp: choice.inApp, outside: { ...outside, ...choice.outside } };
}

/** Reads the values of `--mcp-config`: JSON, or the path of a file that holds it. Throws `usage`. */
export function readMcpConfig(sources: readonly string[]): McpServerChoice {
  const inApp: string[] = [];
  const outside: Record<string, McpServerDefinition> = {};
  for (const source of sources) {
    for (const [name, config] of Object.entries(parse(source))) {
      if ('type' in config && config.type === 'sdk') inApp.push(name);
      else outside[name] = { config: cliMcpServerConfigSchema.parse(config), origin: 'flag' };
    }
  }
  return { inApp, outside };
}

function parse(source: string): z.infer<typeof mcpConfigSchema>['mcpServers'] {
  const isJson = source.trimStart().startsWith('{');
  try {
    return mcpConfigSchema.parse(JSON.parse(isJson ? source : readFileSync(source, 'utf8'))).mcpServers;
  } catch (cause) {
    // The text may hold tokens of servers, so only a path is shown.
    const what = isJson ? 'the JSON given' : `the file ${source}`;
    throw new AgentError('usage', `--mcp-config: ${what} does not hold {"mcpServers": {...}}`, { cause });
  }
}
