import type { Transport } from '@modelcontextprotocol/sdk/shared/transport.js';
import type { AnyTool } from '@qwen/agent';
import { AgentError, DEFAULT_TIMEOUTS, type JsonRpcMessage, PROTOCOL_VERSION } from '@qwen/protocol';
import { type BridgeSend, ControlBridgeTransport } from './bridge-transport.js';

/** What every connection takes. */
interface McpConnectionOptions {
  readonly serverName: string;
  /** For one request, in milliseconds; progress starts it anew. 0 means for ever. Default 60 000. */
  readonly requestTimeoutMs?: number;
  /** Called after the server changed its list of tools; `tools` of the connection is new by then. */
  readonly onToolsChanged?: () => void;
}

export interface McpServerOptions extends McpConnectionOptions {
  /** Any way to reach the server. The connection starts it and closes it. */
  readonly transport: Transport;
}

export interface InAppMcpServerOptions extends McpConnectionOptions {
  readonly send: BridgeSend;
}

/** A live client of one MCP server. Whoever connected closes it. */
export interface McpConnection {
  readonly serverName: string;
  /** The tools of the server as ours, in its order. */
  readonly tools: readonly AnyTool[];
  /** Ends what still runs on it with `mcp_failed`. Idempotent. */
  close(): Promise<void>;
}

/** A connection to a server inside of the app. */
export interface InAppMcpConnection extends McpConnection {
  /** Takes a message that the server sent unasked. */
  deliver(message: JsonRpcMessage): void;
}

/** What a timer can count; the client library knows no "for ever". */
const LONGEST_MS = 2 ** 31 - 1;

/**
 * Connects to a server and lists its tools. The client library loads here and not before (O-33). Rejects with
 * `mcp_failed`, or with the error of the transport, when the server does not answer as MCP asks; nothing is left open.
 */
export async function connectMcpServer(options: McpServerOptions): Promise<McpConnection> {
  const { serverName, transport, onToolsChanged, requestTimeoutMs = DEFAULT_TIMEOUTS.mcpRequest } = options;
  const timeoutMs = requestTimeoutMs === 0 ? LONGEST_MS : requestTimeoutMs;
  const { Client } = await import('@modelcontextprotocol/sdk/client/index.js');
  const { ToolListChangedNotificationSchema } = await import('@modelcontextprotocol/sdk/types.js');
  const { listTools } = await import('./list-tools.js');
  const client = new Client({ name: 'qwen', version: String(PROTOCOL_VERSION) }, { capabilities: {} });
  let tools: readonly AnyTool[] = [];
  const refresh = async () => {
    tools = await listTools(client, { serverName, timeoutMs });
  };
  try {
    await client.connect(transport, { timeout: timeoutMs });
    if (client.getServerCapabilities()?.tools !== undefined) await refresh();
  } catch (error) {
    await client.close();
    throw AgentError.from(error, 'mcp_failed');
  }
  client.setNotificationHandler(ToolListChangedNotificationSchema, async () => {
    await refresh();
    onToolsChanged?.();
  });
  return {
    serverName,
    get tools() {
      return tools;
    },
    close: () => client.close(),
  };
}

/** Connects to a server that lives in the app, over the control channel. */
export async function connectInAppMcpServer(options: InAppMcpServerOptions): Promise<InAppMcpConnection> {
  const transport = new ControlBridgeTransport(options.send);
  const connection = await connectMcpServer({ ...options, transport });
  return {
    serverName: connection.serverName,
    get tools() {
      return connection.tools;
    },
    close: () => connection.close(),
    deliver: (message) => transport.deliver(message),
  };
}
