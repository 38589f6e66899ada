import type { Client } from '@modelcontextprotocol/sdk/client/index.js';
import type { Transport } from '@modelcontextprotocol/sdk/shared/transport.js';
import type { AnyTool } from '@qwen/agent';
import { AgentError, DEFAULT_TIMEOUTS, type JsonRpcMessage, PROTOCOL_VERSION } from '@qwen/protocol';
import * as z from 'zod/mini';
import { type BridgeSend, ControlBridgeTransport } from './bridge-transport.js';
import { type McpToolEntry, mcpTool, mcpToolSchema } from './mcp-tool.js';
import { toToolNames } from './tool-name.js';

/** A server that gives more pages or tools is cut off: no model can use so many. */
const MAX_PAGES = 50;
const MAX_TOOLS = 1000;

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

const pageSchema = z.looseObject({ tools: z.array(z.unknown()), nextCursor: z.optional(z.string()) });

/**
 * Connects to a server and lists its tools. The client library loads here and not before (O-33). Rejects with
 * `mcp_failed`, or with the error of the transport, when the server does not answer as MCP asks; nothing is left open.
 */
export async function connectMcpServer(options: McpServerOptions): Promise<McpConnection> {
  const { serverName, transport, onToolsChanged, requestTimeoutMs = DEFAULT_TIMEOUTS.mcpRequest } = options;
  const timeoutMs = requestTimeoutMs === 0 ? LONGEST_MS : requestTimeoutMs;
  const { Client } = await import('@modelcontextprotocol/sdk/client/index.js');
  const { ToolListChangedNotificationSchema } = await import('@modelcontextprotocol/sdk/types.js');
  const client = new Client({ name: 'qwen', version: String(PROTOCOL_VERSION) }, { capabilities: {} });
  let tools: readonly AnyTool[] = [];
  const refresh = async () => {
    const entries = await listTools(client, timeoutMs);
    const names = toToolNames(
      serverName,
      entries.map((entry) => entry.name),
    );
    tools = entries.map((entry, index) => mcpTool({ client, name: names[index] ?? entry.name, entry, timeoutMs }));
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

async function listTools(client: Client, timeoutMs: number): Promise<McpToolEntry[]> {
  const entries: McpToolEntry[] = [];
  const seen = new Set<string>();
  let cursor: string | undefined;
  for (let page = 0; page < MAX_PAGES && entries.length < MAX_TOOLS; page += 1) {
    const params = cursor === undefined ? {} : { cursor };
    const answer = await client.request({ method: 'tools/list', params }, pageSchema, {
      timeout: timeoutMs,
    });
    // One tool that is described wrongly must not cost the others.
    entries.push(...answer.tools.map((tool) => z.safeParse(mcpToolSchema, tool)).flatMap(({ data }) => data ?? []));
    cursor = answer.nextCursor;
    // A cursor that comes again would lead in a circle.
    if (cursor === undefined || seen.has(cursor)) break;
    seen.add(cursor);
  }
  return entries.slice(0, MAX_TOOLS);
}
