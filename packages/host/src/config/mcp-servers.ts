import { readFileSync } from 'node:fs';
import {
  AgentError,
  type CliMcpServerConfig,
  cliMcpServerConfigSchema,
  sdkMcpServerConfigSchema,
  systemCodeOf,
} from '@qwen/protocol';
import * as z from 'zod/mini';
import type { SettingsMcpServer } from './settings.js';

/**
 * Who defined a server: the app in `initialize`, the command line, the user's settings, a trusted project's
 * settings, or a project's `.mcp.json`, whose servers are approved one by one.
 */
export type McpServerOrigin = 'app' | 'flag' | 'user' | 'project' | 'mcp_json';

export interface McpServerDefinition {
  readonly config: CliMcpServerConfig;
  readonly origin: McpServerOrigin;
}

export interface McpServerChoice {
  readonly inApp: readonly string[];
  readonly outside: Readonly<Record<string, McpServerDefinition>>;
}

const mcpConfigSchema = z.looseObject({
  mcpServers: z.record(z.string(), z.union([sdkMcpServerConfigSchema, cliMcpServerConfigSchema])),
});

export function serversOf(
  origin: McpServerOrigin,
  configs: Readonly<Record<string, CliMcpServerConfig>>,
): McpServerChoice['outside'] {
  return Object.fromEntries(Object.entries(configs).map(([name, config]) => [name, { config, origin }]));
}

/** Adds the servers of the settings; the first of two with the same name wins. */
export function withSettingsServers(choice: McpServerChoice, servers: readonly SettingsMcpServer[]): McpServerChoice {
  const outside: Record<string, McpServerDefinition> = {};
  for (const { name, config, origin } of servers) {
    // A user's file inside a project folder gets no more trust than the project's own.
    if (!choice.inApp.includes(name)) outside[name] = { config, origin: origin === 'local' ? 'project' : origin };
  }
  return { inApp: choice.inApp, outside: { ...outside, ...choice.outside } };
}

/** JSON, or the path of a file. Throws `usage`. */
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
    // The text may contain tokens, so errors show a path only.
    const what = isJson ? 'the given text' : `the file ${source}`;
    throw new AgentError('usage', `--mcp-config: ${what} ${problemOf(cause)}`, { cause });
  }
}

function problemOf(thrown: unknown): string {
  if (thrown instanceof SyntaxError) return 'is not valid JSON';
  if (thrown instanceof Error && 'syscall' in thrown) return `cannot be read (${systemCodeOf(thrown)})`;
  return 'does not contain {"mcpServers": {...}}';
}
