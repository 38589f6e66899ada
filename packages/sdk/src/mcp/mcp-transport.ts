import type { JsonRpcMessage } from '@qwen/protocol';

/** The transport interface of the MCP SDK, declared structurally so that an app may use any version of it. */
export interface McpTransport {
  start(): Promise<void>;
  send(message: JsonRpcMessage): Promise<void>;
  close(): Promise<void>;
  onclose?: (() => void) | undefined;
  onerror?: ((error: Error) => void) | undefined;
  onmessage?: ((message: JsonRpcMessage) => void) | undefined;
}

/**
 * An MCP server that a query can host: from `createSdkMcpServer`, or an `McpServer` or `Server` of
 * `@modelcontextprotocol/sdk` or `@modelcontextprotocol/server`. The query connects it and closes the transport, not
 * the server, when it ends.
 */
export interface SdkMcpServerInstance {
  connect(transport: McpTransport): Promise<void>;
  close(): Promise<void>;
}
