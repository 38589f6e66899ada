import { AgentError, type JsonRpcMessage, messageOf } from '@qwen/protocol';
import { isSdkMcpServerConfig, type QueryOptions } from '../options/options.js';
import type { SdkMcpServerInstance } from './mcp-transport.js';
import { SdkControlServerTransport } from './sdk-control-server-transport.js';

export interface McpServerHostOptions {
  readonly servers: ReadonlyMap<string, SdkMcpServerInstance>;
  readonly notify: (serverName: string, message: JsonRpcMessage) => Promise<void>;
  /** Must not throw. */
  readonly onProblem: (error: AgentError) => void;
}

interface Connection {
  readonly server: SdkMcpServerInstance;
  readonly transport: SdkControlServerTransport;
  readonly ready: Promise<void>;
}

export class McpServerHost {
  readonly #options: McpServerHostOptions;
  readonly #connections = new Map<string, Connection>();

  constructor(options: McpServerHostOptions) {
    this.#options = options;
  }

  start(): void {
    for (const [name, server] of this.#options.servers) this.#connections.set(name, this.#connect(name, server));
  }

  /** Connects new servers; the others stay. Returns the names whose server is another one now. */
  add(servers: ReadonlyMap<string, SdkMcpServerInstance>): string[] {
    const changed: string[] = [];
    for (const [name, server] of servers) {
      const before = this.#connections.get(name);
      if (before?.server === server) continue;
      if (before !== undefined) changed.push(name);
      void before?.transport.close();
      this.#connections.set(name, this.#connect(name, server));
    }
    return changed;
  }

  async keepOnly(names: ReadonlySet<string>): Promise<void> {
    const leaving = [...this.#connections].filter(([name]) => !names.has(name));
    for (const [name] of leaving) this.#connections.delete(name);
    await Promise.all(leaving.map(([, { transport }]) => transport.close()));
  }

  /** Undefined if no answer is due. Rejects if there is no such server or `signal` aborts. */
  async receive(
    serverName: string,
    { message, signal }: { readonly message: JsonRpcMessage; readonly signal: AbortSignal },
  ): Promise<JsonRpcMessage | undefined> {
    const connection = this.#connections.get(serverName);
    if (connection === undefined) {
      throw new AgentError('invalid_payload', `This app hosts no MCP server called ${serverName}.`);
    }
    await connection.ready;
    signal.throwIfAborted();
    return connection.transport.receive(message, signal);
  }

  async close(): Promise<void> {
    await Promise.all([...this.#connections.values()].map(({ transport }) => transport.close()));
  }

  #connect(name: string, server: SdkMcpServerInstance): Connection {
    const transport = new SdkControlServerTransport({ notify: (message) => this.#options.notify(name, message) });
    const ready = connectServer(name, { server, transport });
    ready.catch((error: unknown) => this.#options.onProblem(AgentError.from(error)));
    return { server, transport, ready };
  }
}

export function hostedServers({
  mcpServers = {},
}: Pick<QueryOptions, 'mcpServers'>): Map<string, SdkMcpServerInstance> {
  const servers = new Map<string, SdkMcpServerInstance>();
  for (const [name, config] of Object.entries(mcpServers)) {
    if (isSdkMcpServerConfig(config)) servers.set(name, config.instance);
  }
  return servers;
}

async function connectServer(
  name: string,
  { server, transport }: { readonly server: SdkMcpServerInstance; readonly transport: SdkControlServerTransport },
): Promise<void> {
  try {
    await server.connect(transport);
  } catch (thrown) {
    const why = messageOf(thrown);
    throw new AgentError('handler_failed', `Could not connect the MCP server ${name}: ${why}`, { cause: thrown });
  }
}
