import { isSdkMcpServerConfig, type QueryOptions } from '../options.js';
import type { SdkMcpServerInstance } from './sdk-mcp-server-instance.js';

/** The MCP servers that live in the app, by the name under which the CLI knows them. */
export function hostedServers({ mcpServers = {} }: QueryOptions): Map<string, SdkMcpServerInstance> {
  const servers = new Map<string, SdkMcpServerInstance>();
  for (const [name, config] of Object.entries(mcpServers)) {
    if (isSdkMcpServerConfig(config)) servers.set(name, config.instance);
  }
  return servers;
}
