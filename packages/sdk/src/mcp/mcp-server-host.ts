import { AgentError, type JsonRpcMessage } from '@qwen/protocol';
import { isSdkMcpServerConfig, type QueryOptions } from '../options/options.js';
import type { SdkMcpServerInstance } from './mcp-transport.js';
import { SdkControlServerTransport } from './sdk-control-server-transport.js';

export interface McpServerHostOptions {
  /** The in-process servers by name. */
  readonly servers: ReadonlyMap<string, SdkMcpServerInstance>;
  /** Sends a notification of a server to the CLI. */
  readonly notify: (serverName: string, message: JsonRpcMessage) => Promise<void>;
  /** Called if a server cannot be connected. Must not throw. */
  readonly onProblem: (error: AgentError) => void;
}

interface Connection {
  readonly transport: SdkControlServerTransport;
  readonly ready: Promise<void>;
}

/** Connects the in-process MCP servers of one query and passes messages to them. */
export class McpServerHost {
  readonly #options: McpServerHostOptions;
  readonly #connections = new Map<string, Connection>();

  constructor(options: McpServerHostOptions) {
    this.#options = options;
  }

  /** Starts connecting every server. Messages wait until their server is ready. */
  start(): void {
    for (const [name, server] of this.#options.servers) this.#connections.set(name, this.#connect(name, server));
  }

  /**
   * Resolves with the answer, or with undefined if none is due. Rejects if there is no such server, if it could not
   * be connected, or when `signal` aborts.
   */
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

  /** Closes the transports; the servers can be used again. Idempotent, never rejects. */
  async close(): Promise<void> {
    await Promise.all([...this.#connections.values()].map(({ transport }) => transport.close()));
  }

  #connect(name: string, server: SdkMcpServerInstance): Connection {
    const transport = new SdkControlServerTransport({ notify: (message) => this.#options.notify(name, message) });
    const ready = connectServer(name, { server, transport });
    ready.catch((error: unknown) => this.#options.onProblem(AgentError.from(error)));
    return { transport, ready };
  }
}

/** The in-process servers of the options, by name. */
export function hostedServers({ mcpServers = {} }: QueryOptions): Map<string, SdkMcpServerInstance> {
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
    const why = thrown instanceof Error ? thrown.message : String(thrown);
    throw new AgentError('handler_failed', `Could not connect the MCP server ${name}: ${why}`, { cause: thrown });
  }
}
