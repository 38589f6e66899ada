import { isDeepStrictEqual } from 'node:util';
import type { AnyTool, ToolContext, ToolResult } from '@qwen/agent';
import { AgentError } from '@qwen/protocol';
import type { Elicit } from '@qwen/tools';
import type { Notice } from '../notice.js';
import type { McpConnection, McpConnectOptions, McpConnector, McpOrigin } from './mcp-connection.js';
import { RestartBudget } from './restart-budget.js';

/** A lazy server is `disconnected` without an error until its first call. */
export type McpServerStatus = 'connecting' | 'connected' | 'disconnected';

export interface ManagedServerOptions {
  readonly name: string;
  readonly place: McpOrigin;
  readonly connector: McpConnector;
  /** Read at each start: `initialize` may change it. */
  readonly limits: () => { readonly requestTimeoutMs: number; readonly startTimeoutMs: number };
  readonly onChanged: () => void;
  readonly announce: (notice: Notice) => void;
  /** Asks the user; undefined when no one answers. Read at each start. */
  readonly elicit: () => Elicit | undefined;
}

/** Connects one server on demand and reconnects after a loss. A call after a restart uses the new connection. */
export class ManagedServer {
  readonly name: string;
  readonly #options: ManagedServerOptions;
  #budget = new RestartBudget();
  #status: McpServerStatus = 'connecting';
  #error: string | undefined;
  #needsSignIn = false;
  #attempt: Promise<McpConnection> | undefined;
  #connection: McpConnection | undefined;
  #tools: readonly AnyTool[] = [];
  #restart: NodeJS.Timeout | undefined;
  #starting = new AbortController();
  #isOff = false;
  #isRemoved = false;
  #isReported = false;
  /** The first turn did not wait for it. */
  #isLate = false;

  constructor(options: ManagedServerOptions) {
    this.name = options.name;
    this.#options = options;
  }

  get status(): McpServerStatus {
    return this.#status;
  }

  get error(): string | undefined {
    return this.#error;
  }

  get needsSignIn(): boolean {
    return this.#needsSignIn;
  }

  get connection(): McpConnection | undefined {
    return this.#connection;
  }

  get tools(): readonly AnyTool[] {
    return this.#isOff ? [] : this.#tools;
  }

  get isInApp(): boolean {
    return this.#options.place.kind === 'app';
  }

  get isRequired(): boolean {
    const { place } = this.#options;
    return place.kind === 'outside' && place.definition.config.required === true;
  }

  isAt(place: McpOrigin): boolean {
    const own = this.#options.place;
    if (own.kind === 'app' || place.kind === 'app') return own.kind === place.kind;
    return isDeepStrictEqual(own.definition.config, place.definition.config);
  }

  get isNew(): boolean {
    return this.#status === 'connecting' && this.#attempt === undefined;
  }

  /** Connects, or restores the remembered tools of a lazy server. Never rejects. */
  async start(): Promise<void> {
    const { place, connector } = this.#options;
    if (place.kind === 'outside' && place.definition.config.lazy === true) {
      this.#status = 'disconnected';
      const recalled = await connector.recall(this.#connectOptions()).catch(() => undefined);
      if (recalled !== undefined) {
        this.#keepTools(recalled);
        return;
      }
    }
    await this.connect().catch(() => undefined);
  }

  /** While it starts: the tools of the last start; their calls wait for it. Never rejects. */
  async offerRemembered(): Promise<void> {
    this.#isLate = true;
    if (this.isInApp) return;
    const recalled = await this.#options.connector.recall(this.#connectOptions()).catch(() => undefined);
    if (recalled !== undefined && this.#status === 'connecting') this.#keepTools(recalled);
  }

  connect(): Promise<McpConnection> {
    if (this.#isOff) return Promise.reject(this.#offError());
    if (this.#attempt !== undefined) return this.#attempt;
    const attempt = this.#open();
    this.#attempt = attempt;
    // Handles an attempt that failed synchronously.
    attempt.catch(() => {
      if (this.#attempt === attempt) this.#attempt = undefined;
    });
    return attempt;
  }

  async reconnect(): Promise<void> {
    await this.switchOff();
    if (this.#isRemoved) throw this.#offError();
    this.#isOff = false;
    this.#isReported = false;
    // An explicit request resets the restart budget.
    this.#budget = new RestartBudget();
    await this.connect();
  }

  /** Like {@link switchOff}; calls that were decided before fail with the reason. */
  async remove(): Promise<void> {
    this.#isRemoved = true;
    await this.switchOff();
  }

  #offError(): AgentError {
    const message = this.#isRemoved
      ? `The MCP server ${this.name} was removed from this session.`
      : `${this.name} is disabled.`;
    return new AgentError('mcp_failed', message);
  }

  async switchOff(): Promise<void> {
    this.#isOff = true;
    clearTimeout(this.#restart);
    this.#starting.abort();
    const attempt = this.#attempt;
    this.#attempt = undefined;
    this.#connection = undefined;
    this.#status = 'disconnected';
    this.#options.onChanged();
    const connection = await attempt?.catch(() => undefined);
    await connection?.close();
  }

  async #open(): Promise<McpConnection> {
    this.#status = 'connecting';
    this.#starting = new AbortController();
    try {
      if (!this.#budget.take())
        throw new AgentError('mcp_failed', `${this.name} was restarted too often within a minute.`);
      const connection = await this.#options.connector.connect(this.#connectOptions());
      this.#take(connection);
      return connection;
    } catch (thrown) {
      const error = AgentError.from(thrown, 'mcp_failed');
      this.#lose(error);
      throw error;
    }
  }

  #take(connection: McpConnection): void {
    if (this.#isOff) return;
    this.#connection = connection;
    this.#status = 'connected';
    this.#error = undefined;
    this.#needsSignIn = false;
    if (this.#isReported) {
      this.#isReported = false;
      this.#announce('mcp_server_connected', `The MCP server "${this.name}" has reconnected.`);
    } else if (this.#isLate) this.#announce('mcp_server_connected', `The MCP server "${this.name}" is ready.`);
    this.#isLate = false;
    this.#keepTools(connection.tools);
    void connection.ended.then((failure) => {
      if (this.#connection !== connection) return;
      this.#lose(failure ?? new AgentError('mcp_failed', 'The MCP server closed the connection.'));
      this.#restartLater();
    });
  }

  #lose(error: AgentError): void {
    this.#attempt = undefined;
    this.#connection = undefined;
    if (this.#isOff) return;
    this.#status = 'disconnected';
    this.#error = error.message;
    this.#needsSignIn = error.code === 'mcp_auth_required';
    // Repeated failures are reported once, until it works again.
    if (!this.#isReported) {
      this.#isReported = true;
      this.#announce('mcp_server_failed', `The MCP server "${this.name}" is not connected: ${error.message}`);
    }
    this.#options.onChanged();
  }

  #restartLater(): void {
    this.#restart = setTimeout(() => void this.connect().catch(() => undefined), this.#budget.delayMs);
    this.#restart.unref();
  }

  #keepTools(tools: readonly AnyTool[]): void {
    this.#tools = tools.map((tool) => ({
      ...tool,
      execute: (input: unknown, context: ToolContext) => this.#call(tool, input, context),
    }));
    this.#options.onChanged();
  }

  async #call(called: AnyTool, input: unknown, context: ToolContext): Promise<ToolResult> {
    const connection = await untilAborted(this.connect(), context.signal);
    try {
      return await sameTool(connection, called).execute(input, context);
    } catch (thrown) {
      if (this.#isRemoved) throw this.#offError();
      if (!AgentError.is(thrown) || thrown.data['sessionLost'] !== true) throw thrown;
      // The server lost our session before it did anything: open a new one and retry the call.
      if (this.#connection === connection) {
        this.#attempt = undefined;
        this.#connection = undefined;
        await connection.close();
      }
      const renewed = await untilAborted(this.connect(), context.signal);
      return sameTool(renewed, called).execute(input, context);
    }
  }

  #connectOptions(): McpConnectOptions {
    const { place, limits, announce, elicit } = this.#options;
    return {
      serverName: this.name,
      place,
      ...limits(),
      signal: this.#starting.signal,
      onToolsChanged: () => this.#keepTools(this.#connection?.tools ?? []),
      announce,
      elicit: elicit(),
      onSignedIn: () => void this.#connectAgain(),
    };
  }

  /** The refused attempt may still be running when the user has signed in. */
  async #connectAgain(): Promise<void> {
    await this.#attempt?.catch(() => undefined);
    await this.connect().catch(() => undefined);
  }

  #announce(code: string, message: string): void {
    this.#options.announce({ code, message });
  }
}

function sameTool({ tools, serverName }: McpConnection, { name, definition }: AnyTool): AnyTool {
  const tool = tools.find((one) => one.name === name);
  if (tool === undefined) {
    throw new AgentError('unknown_tool', `The MCP server ${serverName} no longer has the tool ${name}.`);
  }
  if (definition?.fingerprint !== tool.definition?.fingerprint) {
    throw new AgentError(
      'permission_denied',
      `${name} has changed since it was called. Read its description and call it again.`,
    );
  }
  return tool;
}

/** The end of a turn does not wait for a starting server. */
async function untilAborted<T>(work: Promise<T>, signal: AbortSignal): Promise<T> {
  signal.throwIfAborted();
  let stop: (() => void) | undefined;
  const aborted = new Promise<never>((_, reject) => {
    stop = () => reject(new AgentError('aborted', 'The turn ended before the MCP server was ready.'));
    signal.addEventListener('abort', stop, { once: true });
  });
  try {
    return await Promise.race([work, aborted]);
  } finally {
    if (stop !== undefined) signal.removeEventListener('abort', stop);
  }
}
