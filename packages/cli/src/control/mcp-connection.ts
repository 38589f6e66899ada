import type { AnyTool } from '@qwen/agent';
import type { JsonRpcMessage } from '@qwen/protocol';

/** A live client of one MCP server. Whoever connected closes it. */
export interface McpConnection {
  readonly tools: readonly AnyTool[];
  /** Takes a notification that the server sent unasked. */
  deliver(message: JsonRpcMessage): void;
  close(): Promise<void>;
}

export interface McpConnectOptions {
  readonly serverName: string;
  /** Carries one message to the server; resolves with its answer, or with undefined for a notification. */
  readonly send: (message: JsonRpcMessage, signal?: AbortSignal) => Promise<JsonRpcMessage | undefined>;
  /** For one request, in milliseconds; progress starts it anew. 0 means for ever. The only clock of a call. */
  readonly requestTimeoutMs: number;
}

/** Connects to a server and lists its tools; rejects when it does not answer. The client library loads here. */
export type McpConnector = (options: McpConnectOptions) => Promise<McpConnection>;
