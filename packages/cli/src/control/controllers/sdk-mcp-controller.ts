import type { AnyTool } from '@qwen/agent';
import { type McpServerChoice, serversOf } from '@qwen/host/config/mcp-servers.js';
import type { ManagedServer, McpServerStatus } from '@qwen/host/mcp/managed-server.js';
import type { McpConnection, McpConnector } from '@qwen/host/mcp/mcp-connection.js';
import { McpPool } from '@qwen/host/mcp/mcp-pool.js';
import {
  AgentError,
  type CliMcpServerConfig,
  type ControlHandlers,
  type ControlPayload,
  cliMcpServerConfigSchema,
  defined,
  type JsonRpcMessage,
} from '@qwen/protocol';
import type { Elicit, ElicitationAnswer } from '@qwen/tools';
import type { ControlContext, Controller, InitializePayload } from './controller.js';

type Served =
  | 'mcp_server_status'
  | 'mcp_status'
  | 'mcp_reconnect'
  | 'mcp_toggle'
  | 'mcp_set_servers'
  | 'mcp_notification';

export interface SdkMcpControllerOptions {
  readonly connector: McpConnector;
  readonly servers: McpServerChoice;
  readonly discover?: () => Promise<McpServerChoice>;
  readonly allowedNames?: readonly string[];
  readonly onToolsChanged: () => void;
}

/**
 * MCP status and switches in, `mcp_message` out to servers inside the app. Servers connect in the background after
 * `initialize`; the first turn waits for them.
 */
export class SdkMcpController implements Controller {
  readonly #context: ControlContext;
  readonly #pool: McpPool;
  #answersElicitations = false;
  /** One replacement at a time. */
  #replacing: Promise<unknown> = Promise.resolve();

  readonly handlers: Pick<ControlHandlers<'app'>, Served> = {
    mcp_server_status: () => {
      const servers = this.#pool.list();
      const status = Object.fromEntries(servers.map(({ name, status: word }) => [name, word]));
      const errors = Object.fromEntries(
        servers.flatMap(({ name, error }) => (error === undefined ? [] : [[name, error]])),
      );
      return { subtype: 'mcp_server_status', status, servers: status, errors };
    },
    mcp_status: async ({ wait = false }) => {
      if (wait) await this.#pool.whenReady();
      return { mcpServers: this.#pool.list().map((state) => ({ ...state, ...this.#promptsOf(state.name) })) };
    },
    mcp_reconnect: async ({ serverName }) => {
      await this.#pool.get(serverName).reconnect();
      return null;
    },
    mcp_toggle: async ({ serverName, enabled }) => {
      const server = this.#pool.get(serverName);
      await (enabled ? server.reconnect() : server.switchOff());
      return null;
    },
    mcp_set_servers: ({ servers }) => {
      const replacing = this.#replacing.then(() => this.#pool.replace(choiceOf(servers)));
      this.#replacing = replacing.catch(() => undefined);
      return replacing;
    },
    mcp_notification: ({ server_name: name, message }) => {
      const connection = this.#pool.servers.find((server) => server.name === name)?.connection;
      if (connection?.deliver === undefined) {
        throw new AgentError('invalid_payload', `No MCP server "${name}" is connected.`);
      }
      connection.deliver(message);
      return null;
    },
  };

  constructor(context: ControlContext, options: SdkMcpControllerOptions) {
    const { connector, servers, discover, allowedNames, onToolsChanged } = options;
    this.#context = context;
    this.#pool = new McpPool({
      connector,
      sendToApp: (name) => (message, signal) => this.#send({ name, message, signal }),
      onChanged: onToolsChanged,
      announce: context.announce,
      elicitFor: (name) => (this.#answersElicitations ? (...asked) => this.#elicit(name, ...asked) : undefined),
      ...defined({ discover, allowedNames }),
    });
    this.#pool.add(servers);
  }

  onInitialize(payload: InitializePayload): void {
    const { sdkMcpServers, mcpServers, mcpReady, mcpStartTimeout, timeout, elicitation } = payload;
    if (elicitation !== undefined) this.#answersElicitations = elicitation;
    this.#pool.limit({
      requestTimeoutMs: timeout?.mcpRequest,
      startTimeoutMs: mcpStartTimeout,
      isWaitedFor: mcpReady === undefined ? undefined : mcpReady === 'wait',
    });
    const inApp = Array.isArray(sdkMcpServers) ? sdkMcpServers : Object.keys(sdkMcpServers ?? {});
    this.#pool.add({ inApp, outside: serversOf('app', mcpServers ?? {}) });
    // The client library loads slowly: answer `initialize` first.
    setImmediate(() => this.#pool.start());
  }

  #promptsOf(name: string): { readonly prompts?: { readonly name: string; readonly description: string }[] } {
    const { prompts = [] } = this.#pool.get(name).connection ?? {};
    if (prompts.length === 0) return {};
    return { prompts: prompts.map(({ commandName, description }) => ({ name: commandName, description })) };
  }

  /** In the order of configuration. */
  listServers(): readonly { readonly name: string; readonly status: McpServerStatus }[] {
    return this.#pool.list().map(({ name, status }) => ({ name, status }));
  }

  /** Cached after the first use. Rejects if it cannot connect. */
  async getMcpClient(name: string): Promise<McpConnection> {
    return this.#pool.get(name).connect();
  }

  /** Resolves when no server is connecting, or after the time limit. */
  whenReady(): Promise<void> {
    return this.#pool.whenReady();
  }

  beforeFirstTurn(): Promise<void> {
    return this.#pool.beforeFirstTurn();
  }

  get servers(): readonly ManagedServer[] {
    return this.#pool.servers;
  }

  get tools(): readonly AnyTool[] {
    return this.#pool.tools;
  }

  close(): Promise<void> {
    return this.#pool.close();
  }

  /** Any failure declines the elicitation. */
  async #elicit(name: string, ...[question, { signal }]: Parameters<Elicit>): Promise<ElicitationAnswer> {
    try {
      return await this.#context.app.ask('elicitation', { server_name: name, ...question }, { signal });
    } catch (thrown) {
      const { message } = AgentError.from(thrown);
      const notice = `The MCP server "${name}" got no answer to its question: ${message}`;
      if (!signal.aborted) this.#context.announce({ code: 'elicitation_failed', message: notice });
      return { action: 'decline' };
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
      // The MCP client enforces the timeout, because progress resets it.
      { signal, timeoutMs: 0 },
    );
    if (typeof result.error === 'string') throw new AgentError('handler_failed', result.error);
    // Apps answer a notification with an empty result; only a request has a response.
    return message.id === undefined ? undefined : (result.mcp_response ?? undefined);
  }
}

function choiceOf(servers: ControlPayload<'mcp_set_servers'>['servers']): McpServerChoice {
  const inApp: string[] = [];
  const outside: Record<string, CliMcpServerConfig> = {};
  for (const [name, config] of Object.entries(servers)) {
    if ('type' in config && config.type === 'sdk') inApp.push(name);
    else outside[name] = cliMcpServerConfigSchema.parse(config);
  }
  return { inApp, outside: serversOf('app', outside) };
}
