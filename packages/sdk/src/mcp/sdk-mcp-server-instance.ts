import type { McpTransport } from './mcp-transport.js';

/**
 * An MCP server that a query can host: what `createSdkMcpServer` gives, or an `McpServer` or `Server` of
 * `@modelcontextprotocol/sdk`, or one of its second generation, `@modelcontextprotocol/server`. The query connects it,
 * and closes the transport (not the server) at its end.
 */
export interface SdkMcpServerInstance {
  connect(transport: McpTransport): Promise<void>;
  close(): Promise<void>;
}
