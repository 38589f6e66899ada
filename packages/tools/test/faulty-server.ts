import type { AnyTool } from '@qwen/agent';
import { FAULTY_MCP_SERVER } from '@qwen/testkit';
import type { McpConnection } from '../src/mcp/client.js';
import { connectMcpServer, type McpServerOptions } from '../src/mcp/client.js';
import { createTransport } from '../src/mcp/transports/create-transport.js';

export interface FaultyServer extends AsyncDisposable {
  readonly connection: McpConnection;
  /** What was told in words. */
  readonly notices: readonly string[];
  /** One of its tools, by the server's name of it. */
  tool(name: string): AnyTool;
}

export interface FaultyServerOptions extends Partial<McpServerOptions> {
  readonly env?: Readonly<Record<string, string>>;
  /** The environment that we run in. */
  readonly environment?: Readonly<Record<string, string>>;
  readonly cwd?: string;
}

/** A real process that does one thing wrong, and our client of it. */
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
