import { AgentError, type JsonRpcMessage } from '@qwen/protocol';
import { SdkControlServerTransport } from './sdk-control-server-transport.js';
import type { SdkMcpServerInstance } from './sdk-mcp-server-instance.js';

export interface McpServerHostOptions {
  /** The servers of one query, by the name under which the CLI knows them. */
  readonly servers: ReadonlyMap<string, SdkMcpServerInstance>;
  /** Carries a notification of a server to the CLI. */
  readonly notify: (serverName: string, message: JsonRpcMessage) => Promise<void>;
  /** Hears of a server that could not be connected. Must not throw. */
  readonly onProblem: (error: AgentError) => void;
}

interface Connection {
  readonly transport: SdkControlServerTransport;
  readonly ready: Promise<void>;
}

/** The MCP servers that one query hosts: connects them, brings them their messages, lets them go. */
export class McpServerHost {
  readonly #options: McpServerHostOptions;
  readonly #connections = new Map<string, Connection>();

  constructor(options: McpServerHostOptions) {
    this.#options = options;
  }

  /** Starts to connect every server. Messages that come before a server is ready wait for it. */
  start(): void {
    for (const [name, server] of this.#options.servers) this.#connections.set(name, this.#connect(name, server));
  }

  /**
   * Brings a server one message and gives its answer; undefined when none is due. Rejects when there is no such
   * server, when it could not be connected, or when `signal` aborts.
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

  /** Closes the transports; the servers may be used again. Idempotent, never rejects. */
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

async function connectServer(
  name: string,
  { server, transport }: { readonly server: SdkMcpServerInstance; readonly transport: SdkControlServerTransport },
): Promise<void> {
  try {
    await server.connect(transport);
  } catch (thrown) {
    const why = thrown instanceof Error ? thrown.message : String(thrown);
    throw new AgentError('handler_failed', `The MCP server ${name} could not be connected: ${why}`, { cause: thrown });
  }
}
