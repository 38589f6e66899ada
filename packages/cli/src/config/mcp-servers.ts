import { readFileSync } from 'node:fs';
import {
  AgentError,
  type CliMcpServerConfig,
  cliMcpServerConfigSchema,
  sdkMcpServerConfigSchema,
} from '@qwen/protocol';
import * as z from 'zod/mini';

/** The MCP servers that a start or an `initialize` names, by where they live. */
export interface McpServerChoice {
  /** Names of servers inside of the app. */
  readonly inApp: readonly string[];
  /** Servers that we would have to start or call, by name. */
  readonly outside: Readonly<Record<string, CliMcpServerConfig>>;
}

const mcpConfigSchema = z.looseObject({
  mcpServers: z.record(z.string(), z.union([sdkMcpServerConfigSchema, cliMcpServerConfigSchema])),
});

/** Reads the values of `--mcp-config`: JSON, or the path of a file that holds it. Throws `usage`. */
export function readMcpConfig(sources: readonly string[]): McpServerChoice {
  const inApp: string[] = [];
  const outside: Record<string, CliMcpServerConfig> = {};
  for (const source of sources) {
    for (const [name, config] of Object.entries(parse(source))) {
      if ('type' in config && config.type === 'sdk') inApp.push(name);
      else outside[name] = cliMcpServerConfigSchema.parse(config);
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
