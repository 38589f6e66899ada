import type { AnyTool } from '@qwen/agent';
import { FAULTY_MCP_SERVER } from '@qwen/testkit';
import type { McpConnection } from '../src/mcp/client.js';
import { connectMcpServer, type McpServerOptions } from '../src/mcp/client.js';
import { createTransport } from '../src/mcp/transports/create-transport.js';

export interface FaultyServer extends AsyncDisposable {
  readonly connection: McpConnection;
  /** Notices to the user. */
  readonly notices: readonly string[];
  /** A tool by the name that the server uses. */
  tool(name: string): AnyTool;
}

export interface FaultyServerOptions extends Partial<McpServerOptions> {
  readonly env?: Readonly<Record<string, string>>;
  /** The environment of this process. */
  readonly environment?: Readonly<Record<string, string>>;
  readonly cwd?: string;
}

/** A real server process with one fault, and its client. */
export async function startFaultyServer(fault: string, options: FaultyServerOptions = {}): Promise<FaultyServer> {
  const { env = {}, environment = { PATH: process.env['PATH'] ?? '' }, cwd = process.cwd(), ...more } = options;
  const notices: string[] = [];
  const transport = await createTransport({
    endpoint: { kind: 'stdio', command: process.execPath, args: [FAULTY_MCP_SERVER, fault], env },
    cwd,
    environment,
    onNoise: () => notices.push('noise'),
  });
  const onNotice = (message: string) => notices.push(message);
  const connection = await connectMcpServer({ serverName: 'test', transport, onNotice, ...more });
  return {
    connection,
    notices,
    tool: (name) => toolOf(connection, name),
    [Symbol.asyncDispose]: () => connection.close(),
  };
}

export function toolOf({ tools, serverName }: McpConnection, name: string): AnyTool {
  const found = tools.find((tool) => tool.name === `mcp__${serverName}__${name}`);
  if (found === undefined) throw new Error(`no tool ${name}`);
  return found;
}
