import { AgentError } from '@qwen/protocol';
import type { SdkMcpServerConfigWithInstance } from '../options.js';
import { LocalMcpServer } from './local-mcp-server.js';
import type { AnySdkMcpTool } from './tool.js';

export interface CreateSdkMcpServerOptions {
  /** The model sees the tools as `mcp__<name>__<tool>`. */
  readonly name: string;
  /** Told to the client. Default `1.0.0`. */
  readonly version?: string | undefined;
  readonly tools?: readonly AnySdkMcpTool[] | undefined;
}

/**
 * An MCP server whose tools run in this process, for `mcpServers` of a query (O-31). The same server may serve any
 * number of queries at once. Throws `invalid_options` when two tools have the same name.
 */
export function createSdkMcpServer(options: CreateSdkMcpServerOptions): SdkMcpServerConfigWithInstance {
  const { name, version = '1.0.0', tools = [] } = options;
  if (name === '') throw new AgentError('invalid_options', 'An MCP server needs a name.');
  const seen = new Set<string>();
  for (const { name: toolName } of tools) {
    if (seen.has(toolName)) {
      throw new AgentError('invalid_options', `The MCP server ${name} has two tools called ${toolName}.`);
    }
    seen.add(toolName);
  }
  return { type: 'sdk', name, instance: new LocalMcpServer({ name, version, tools }) };
}
