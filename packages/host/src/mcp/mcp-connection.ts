import type { AnyTool } from '@qwen/agent';
import type { JsonRpcMessage } from '@qwen/protocol';
import type { Elicit, McpConnection as ServerConnection } from '@qwen/tools';
import type { McpServerDefinition } from '../config/mcp-servers.js';
import type { Notice } from '../notice.js';

/** A live client of one MCP server. Whoever connected closes it. */
export interface McpConnection extends ServerConnection {
  /** Takes a notification that a server in the app sent unasked; missing for all others. */
  deliver?(message: JsonRpcMessage): void;
}

/** Carries one message to a server in the app; resolves with its answer, or with undefined for a notification. */
export type McpSend = (message: JsonRpcMessage, signal?: AbortSignal) => Promise<JsonRpcMessage | undefined>;

/** Where a server is: in the app, behind the control channel, or outside, as it was defined. */
export type McpPlace =
  | { readonly kind: 'app'; readonly send: McpSend }
  | { readonly kind: 'outside'; readonly definition: McpServerDefinition };

export interface McpConnectOptions {
  readonly serverName: string;
  readonly place: McpPlace;
  /** For one request, in milliseconds; progress starts it anew. 0 means for ever. The only clock of a call. */
  readonly requestTimeoutMs: number;
  /** For everything until the tools are listed, in milliseconds; 0 means for ever. */
  readonly startTimeoutMs: number;
  /** Gives up a start that is not over yet. */
  readonly signal: AbortSignal;
  /** Called after the server changed its list of tools. */
  readonly onToolsChanged: () => void;
  readonly announce: (notice: Notice) => void;
  /** Called when the user has signed in to a server that had refused us. */
  readonly onSignedIn: () => void;
  /** Asks the user; missing where nobody answers. */
  readonly elicit?: Elicit | undefined;
}

/** The way to servers. The client library loads with the first call of either. */
export interface McpConnector {
  /** Connects to a server and lists its tools; rejects with an AgentError when it does not answer. */
  connect(options: McpConnectOptions): Promise<McpConnection>;
  /** The tools of a server as they were the last time; undefined when its definition is new. */
  recall(options: McpConnectOptions): Promise<readonly AnyTool[] | undefined>;
}
