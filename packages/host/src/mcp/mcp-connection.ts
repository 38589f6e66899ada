import type { AnyTool } from '@qwen/agent';
import type { JsonRpcMessage } from '@qwen/protocol';
import type { Elicit, McpConnection as ServerConnection } from '@qwen/tools';
import type { McpServerDefinition } from '../config/mcp-servers.js';
import type { Notice } from '../notice.js';

/** A live client of one MCP server. The caller of `connect()` closes it. */
export interface McpConnection extends ServerConnection {
  deliver?(message: JsonRpcMessage): void;
}

/** Resolves with the answer, or undefined for a notification. */
export type McpSend = (message: JsonRpcMessage, signal?: AbortSignal) => Promise<JsonRpcMessage | undefined>;

export type McpOrigin =
  | { readonly kind: 'app'; readonly send: McpSend }
  | { readonly kind: 'outside'; readonly definition: McpServerDefinition };

export interface McpConnectOptions {
  readonly serverName: string;
  readonly place: McpOrigin;
  /** Per request, in milliseconds; progress restarts it, 0 means none. The only timer of a call. */
  readonly requestTimeoutMs: number;
  /** Until the tools are listed, in milliseconds; 0 means none. */
  readonly startTimeoutMs: number;
  readonly signal: AbortSignal;
  readonly onToolsChanged: () => void;
  readonly announce: (notice: Notice) => void;
  /** Called after the user signed in to a server that refused access. */
  readonly onSignedIn: () => void;
  readonly elicit?: Elicit | undefined;
}

export interface McpConnector {
  /** Connects and lists the tools; rejects with an AgentError. */
  connect(options: McpConnectOptions): Promise<McpConnection>;
  /** The tools of the last connection; undefined for a new definition. */
  recall(options: McpConnectOptions): Promise<readonly AnyTool[] | undefined>;
}
