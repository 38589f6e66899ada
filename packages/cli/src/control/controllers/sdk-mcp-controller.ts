import type { AnyTool } from '@qwen/agent';
import { AgentError, type ControlHandlers, DEFAULT_TIMEOUTS, type JsonRpcMessage } from '@qwen/protocol';
import type { McpServerChoice } from '../../config/mcp-servers.js';
import type { ControlContext } from '../control-context.js';
import type { McpConnection, McpConnector } from '../mcp-connection.js';
import type { Controller, InitializePayload } from './controller.js';

/** The words of GAP-44. */
export type McpServerStatus = 'connecting' | 'connected' | 'disconnected';

interface Server {
  status: McpServerStatus;
  /** Why it is disconnected. */
  error?: string;
  /** Whether people were told of the error. */
  isTold?: boolean;
  /** Settles when the attempt to connect is over; never rejects. Missing: not tried. */
  attempt?: Promise<McpConnection | undefined>;
  connection?: McpConnection;
}

export interface SdkMcpControllerOptions {
  readonly connect: McpConnector;
  /** The servers that the start named. */
  readonly servers: McpServerChoice;
  /** Missing: every name. */
  readonly allowedNames?: readonly string[];
  /** Called when `tools` has changed. */
  readonly onToolsChanged: () => void;
}

/**
 * MCP servers that live in the app: `mcp_server_status` and `mcp_notification` in, `mcp_message` out. They connect in
 * the background, once the answer to `initialize` is out; the first turn waits for them.
 */
export class SdkMcpController implements Controller {
  readonly #context: ControlContext;
  readonly #options: SdkMcpControllerOptions;
  readonly #servers = new Map<string, Server>();
  #requestTimeoutMs = DEFAULT_TIMEOUTS.mcpRequest;

  readonly handlers: Pick<ControlHandlers<'app'>, 'mcp_server_status' | 'mcp_notification'> = {
    mcp_server_status: () => {
      const status = Object.fromEntries(this.listServers().map(({ name, status: word }) => [name, word]));
      return { subtype: 'mcp_server_status', status, servers: status, errors: this.#errors() };
    },
    mcp_notification: ({ server_name: name, message }) => {
      const connection = this.#servers.get(name)?.connection;
      if (connection === undefined) throw new AgentError('invalid_payload', `No MCP server "${name}" is connected.`);
      connection.deliver(message);
      return null;
    },
  };

  constructor(context: ControlContext, options: SdkMcpControllerOptions) {
    this.#context = context;
    this.#options = options;
    this.#add(options.servers);
  }

  onInitialize({ sdkMcpServers, mcpServers, timeout }: InitializePayload): void {
    this.#requestTimeoutMs = timeout?.mcpRequest ?? this.#requestTimeoutMs;
    const inApp = Array.isArray(sdkMcpServers) ? sdkMcpServers : Object.keys(sdkMcpServers ?? {});
    this.#add({ inApp, outside: mcpServers ?? {} });
    // The client library takes a while to load: the answer to initialize goes out before.
    setImmediate(() => this.connectAll());
  }

  /** All servers in the order in which they were named (N-16). */
  listServers(): readonly { readonly name: string; readonly status: McpServerStatus }[] {
    return [...this.#servers].map(([name, { status }]) => ({ name, status }));
  }

  /** The client of a server: made on first use, then kept (N-15, M-66). Rejects when it cannot be connected. */
  async getMcpClient(name: string): Promise<McpConnection> {
    const server = this.#servers.get(name);
    const connection = server === undefined ? undefined : await (server.attempt ??= this.#connect(name, server));
    if (connection !== undefined) return connection;
    throw new AgentError('channel_closed', server?.error ?? `No MCP server is called "${name}".`);
  }

  /** Tries every server that was not tried yet, and tells of those that cannot be. */
  connectAll(): void {
    for (const [name, server] of this.#servers) {
      if (server.status === 'connecting') server.attempt ??= this.#connect(name, server);
      else this.#tellFailure(name, server);
    }
  }

  /** Resolves when no server is connecting any more, or when the limit for one MCP request has passed. */
  async whenReady(): Promise<void> {
    this.connectAll();
    const attempts = [...this.#servers.values()].flatMap(({ attempt }) => attempt ?? []);
    if (attempts.length > 0) await withinLimit(Promise.all(attempts), this.#requestTimeoutMs);
  }

  /** The tools of the servers that are connected now. */
  get tools(): readonly AnyTool[] {
    return [...this.#servers.values()].flatMap((server) => server.connection?.tools ?? []);
  }

  async close(): Promise<void> {
    const connections = [...this.#servers.values()].flatMap(({ connection }) => connection ?? []);
    await Promise.allSettled(connections.map((connection) => connection.close()));
  }

  #add({ inApp, outside }: McpServerChoice): void {
    const { allowedNames } = this.#options;
    const isNew = (name: string) =>
      !this.#servers.has(name) && (allowedNames === undefined || allowedNames.includes(name));
    for (const name of inApp.filter(isNew)) this.#servers.set(name, { status: 'connecting' });
    for (const name of Object.keys(outside).filter(isNew)) {
      const error = 'This version of qwen connects only to MCP servers that live in the app.';
      this.#servers.set(name, { status: 'disconnected', error });
    }
  }

  async #connect(name: string, server: Server): Promise<McpConnection | undefined> {
    server.status = 'connecting';
    try {
      server.connection = await this.#options.connect({
        serverName: name,
        send: (message, signal) => this.#send({ name, message, signal }),
        requestTimeoutMs: this.#requestTimeoutMs,
      });
      server.status = 'connected';
      this.#options.onToolsChanged();
      return server.connection;
    } catch (thrown) {
      server.status = 'disconnected';
      server.error = AgentError.from(thrown).message;
      this.#tellFailure(name, server);
      return undefined;
    }
  }

  async #send(options: {
    name: string;
    message: JsonRpcMessage;
    signal: AbortSignal | undefined;
  }): Promise<JsonRpcMessage | undefined> {
    const { name, message, signal } = options;
    const result = await this.#context.app.ask(
      'mcp_message',
      { server_name: name, message },
      // The client of the server keeps the clock, because progress starts it anew (HOUSE §4.10).
      { signal, timeoutMs: 0 },
    );
    if (typeof result.error === 'string') throw new AgentError('handler_failed', result.error);
    // Apps answer a notification with an empty result; only a request has an answer to give back (GAP-45).
    return message.id === undefined ? undefined : (result.mcp_response ?? undefined);
  }

  #errors(): Record<string, string> {
    const failed = [...this.#servers].flatMap(([name, { error }]) => (error === undefined ? [] : [[name, error]]));
    return Object.fromEntries(failed);
  }

  #tellFailure(name: string, server: Server): void {
    if (server.error === undefined || server.isTold === true) return;
    server.isTold = true;
    this.#context.announce({
      code: 'mcp_server_failed',
      message: `The MCP server "${name}" is not connected: ${server.error}`,
    });
  }
}

/** 0 means no limit. */
async function withinLimit(work: Promise<unknown>, limitMs: number): Promise<void> {
  if (limitMs <= 0) {
    await work;
    return;
  }
  let timer: NodeJS.Timeout | undefined;
  const limit = new Promise<void>((resolve) => {
    timer = setTimeout(resolve, limitMs);
  });
  await Promise.race([work, limit]);
  clearTimeout(timer);
}
