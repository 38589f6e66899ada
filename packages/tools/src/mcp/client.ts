import type { Client, PriorDiscovery } from '@modelcontextprotocol/client';
import type { AnyTool, ToolDefinition } from '@qwen/agent';
import { AgentError, DEFAULT_TIMEOUTS, type JsonRpcMessage, QWEN_VERSION } from '@qwen/protocol';
import { type BridgeSend, ControlBridgeTransport } from './bridge-transport.js';
import { CallClocks, LONGEST_MS } from './call-clock.js';
import type { AskUser, TraceOf } from './call-tool.js';
import { callTool } from './call-tool.js';
import { coalesce } from './coalesce.js';
import type { Elicit } from './elicitation.js';
import type { ToolChoice } from './list-tools.js';
import type { McpToolEntry } from './mcp-tool.js';
import type { McpPrompt, PromptMessages } from './prompts.js';
import type { ResourceEntry, ResourceText } from './resources.js';
import { type Hello, MODERN, ServerChannel } from './server-channel.js';
import type { McpTransport } from './transports/create-transport.js';

/** The caller closes it. */
export interface McpConnection {
  readonly serverName: string;
  readonly tools: readonly AnyTool[];
  readonly prompts: readonly McpPrompt[];
  readonly hasResources: boolean;
  /** With the reason, or undefined after `close()`. Never rejects. */
  readonly ended: Promise<AgentError | undefined>;
  /** Rejects with `tool_failed` or `mcp_failed`. */
  listResources(options: { readonly signal: AbortSignal }): Promise<readonly ResourceEntry[]>;
  readResource(uri: string, options: { readonly signal: AbortSignal }): Promise<ResourceText>;
  /** Rejects with `invalid_tool_input` for missing arguments. */
  getPrompt(name: string, values: Readonly<Record<string, string>>): Promise<PromptMessages>;
  /** Fails running requests with `mcp_failed`. Idempotent. */
  close(): Promise<void>;
}

interface McpConnectionOptions extends ToolChoice {
  readonly serverName: string;
  /** In milliseconds; progress restarts it. 0: unlimited. Default 60,000. */
  readonly requestTimeoutMs?: number;
  /** In milliseconds, until the tools are listed. 0: unlimited. Default: as for one request. */
  readonly startTimeoutMs?: number;
  readonly signal?: AbortSignal;
  /** Called after `tools` changed. */
  readonly onToolsChanged?: () => void;
  /** For the user. */
  readonly onNotice?: (message: string) => void;
  /** Whether its tools need no approval. Default: no. */
  readonly isTrusted?: boolean;
  /** Called after `onToolEntries`. */
  readonly definitionOf?: (entry: McpToolEntry, name: string) => ToolDefinition;
  /** For the `_meta` of each call. */
  readonly traceOf?: TraceOf | undefined;
  /** Receives the listed tools, also after each change. */
  readonly onToolEntries?: (entries: readonly McpToolEntry[], era: ServerEra) => void;
}

export interface McpServerOptions extends McpConnectionOptions {
  /** The connection starts and closes it. */
  readonly transport: McpTransport;
  /** Without it, elicitation is not offered. */
  readonly elicit?: Elicit | undefined;
  /** Known from an earlier start: the server ends, or is silent, when it is asked for its era. Default: ask. */
  readonly isLegacy?: boolean | undefined;
}

/** What the next start of a server can use. */
export interface ServerEra {
  readonly protocolVersion: string;
  /** Whether asking for the era ended the process or cost time. */
  readonly isAskingCostly: boolean;
}

export interface InAppMcpServerOptions extends McpConnectionOptions {
  readonly send: BridgeSend;
}

export interface InAppMcpConnection extends McpConnection {
  deliver(message: JsonRpcMessage): void;
}

/** Collects repeated notifications about changes. */
const CHANGE_DELAY_MS = 50;

/** How often a list with a time to live is read again at most, in milliseconds. */
const SHORTEST_TTL_MS = 60_000;

/**
 * Loads the client library. Speaks every revision of the protocol; offers the server no sampling and no roots.
 * Rejects with `timeout`, `mcp_auth_required` or `mcp_failed`, with nothing left open. `data.exitedAtDiscover`: a new
 * process may succeed with `isLegacy`; `data.refusesInitialize`: without.
 */
export async function connectMcpServer(options: McpServerOptions): Promise<McpConnection> {
  const { Client } = await import('@modelcontextprotocol/client');
  const { elicit, onNotice } = options;
  const capabilities = {
    ...(elicit !== undefined && { elicitation: { form: {}, url: {} } }),
    extensions: { 'io.modelcontextprotocol/tasks': {} },
  };
  const clientInfo = { name: 'qwen', version: QWEN_VERSION };
  const client = new Client(clientInfo, {
    capabilities,
    // Ours validates, when there is something to validate.
    jsonSchemaValidator: {
      getValidator: () => (input) => ({ valid: true, data: input as never, errorMessage: undefined }),
    },
  });
  const clocks = new CallClocks();
  let askUser: AskUser | undefined;
  if (elicit !== undefined) {
    const { answerUnchecked, serveElicitations } = await import('./elicitation.js');
    const how = {
      elicit: ((question, limits) => clocks.during(elicit(question, limits))) satisfies Elicit,
      onNotice,
    };
    serveElicitations(client, how);
    askUser = (params, signal) => answerUnchecked(params, { ...how, signal });
  }
  const connection = new ClientConnection({ client, clocks, options, askUser, hello: { clientInfo, capabilities } });
  await connection.start();
  return connection;
}

interface ConnectionParts {
  readonly client: Client;
  readonly clocks: CallClocks;
  readonly options: McpServerOptions;
  readonly askUser: AskUser | undefined;
  readonly hello: Omit<Hello, 'legacyVersion'>;
}

class ClientConnection implements McpConnection {
  readonly #client: Client;
  readonly #clocks: CallClocks;
  readonly #options: McpServerOptions;
  readonly #askUser: AskUser | undefined;
  readonly #hello: Omit<Hello, 'legacyVersion'>;
  readonly #channel: ServerChannel;
  readonly #timeoutMs: number;
  readonly #ended = Promise.withResolvers<AgentError | undefined>();
  readonly ended: Promise<AgentError | undefined> = this.#ended.promise;
  readonly #refresh = coalesce(() => this.#readAgain(), CHANGE_DELAY_MS);
  readonly #refreshPrompts = coalesce(() => this.#readPrompts(this.#timeoutMs).catch(() => undefined), CHANGE_DELAY_MS);
  #tools: readonly AnyTool[] = [];
  #prompts: readonly McpPrompt[] = [];
  #ending: AgentError | undefined;
  #isOver = false;
  /** Reads the tools again when their time to live is over. */
  #stale: NodeJS.Timeout | undefined;

  constructor({ client, clocks, options, askUser, hello }: ConnectionParts) {
    const { requestTimeoutMs = DEFAULT_TIMEOUTS.mcpRequest } = options;
    this.#client = client;
    this.#clocks = clocks;
    this.#options = options;
    this.#askUser = askUser;
    this.#hello = hello;
    this.#channel = new ServerChannel(options.transport);
    this.#timeoutMs = requestTimeoutMs === 0 ? LONGEST_MS : requestTimeoutMs;
  }

  get serverName(): string {
    return this.#options.serverName;
  }

  get tools(): readonly AnyTool[] {
    return this.#tools;
  }

  get prompts(): readonly McpPrompt[] {
    return this.#prompts;
  }

  get #era(): ServerEra {
    return {
      protocolVersion: this.#client.getNegotiatedProtocolVersion() ?? '',
      isAskingCostly: this.#options.isLegacy === true || this.#channel.wasSilent,
    };
  }

  get hasResources(): boolean {
    return this.#client.getServerCapabilities()?.resources !== undefined;
  }

  async start(): Promise<void> {
    const { serverName, transport, startTimeoutMs = this.#timeoutMs, signal } = this.#options;
    const { advice } = transport;
    const canceled = new AgentError('aborted', `The start of ${serverName} was cancelled.`);
    if (signal?.aborted === true) throw canceled;
    let timer: NodeJS.Timeout | undefined;
    let cancel = (): void => {};
    const limit = new Promise<never>((_, reject) => {
      cancel = () => reject(canceled);
      signal?.addEventListener('abort', cancel, { once: true });
      if (startTimeoutMs === 0) return;
      const late = new AgentError('timeout', `${serverName} was not ready within ${startTimeoutMs} ms.`);
      timer = setTimeout(() => reject(late), startTimeoutMs);
    });
    try {
      await Promise.race([this.#open(), limit]);
    } catch (thrown) {
      await this.close();
      const { toRequestError } = await import('./request-error.js');
      const error = await toRequestError(thrown, { name: serverName, timeoutMs: this.#timeoutMs, advice });
      throw error.data['exitedAtDiscover'] === true ? error : (transport.failure ?? error);
    } finally {
      clearTimeout(timer);
      signal?.removeEventListener('abort', cancel);
    }
  }

  async listResources({ signal }: { readonly signal: AbortSignal }) {
    const { listResources } = await import('./resources.js');
    return this.#ask(listResources(this.#client, { timeoutMs: this.#timeoutMs, signal }), 'list_mcp_resources');
  }

  async readResource(uri: string, { signal }: { readonly signal: AbortSignal }) {
    const { readResource } = await import('./resources.js');
    return this.#ask(readResource(this.#client, { uri, timeoutMs: this.#timeoutMs, signal }), 'read_mcp_resource');
  }

  async getPrompt(name: string, values: Readonly<Record<string, string>>) {
    const prompt = this.#prompts.find((one) => one.name === name);
    if (prompt === undefined) throw new AgentError('invalid_tool_input', `${this.serverName} has no prompt ${name}.`);
    const { fillPrompt } = await import('./prompts.js');
    return this.#ask(fillPrompt(this.#client, { prompt, values, timeoutMs: this.#timeoutMs }), name);
  }

  async close(): Promise<void> {
    this.#stopRefreshing();
    // The client forgets the transport before its process has exited.
    await Promise.all([this.#client.close(), this.#options.transport.close()]);
    this.#ended.resolve(undefined);
  }

  async #open(): Promise<void> {
    const { transport } = this.#options;
    this.#client.onclose = () => {
      this.#ending = transport.failure;
      this.#stopRefreshing();
      this.#ended.resolve(transport.failure);
    };
    // `startTimeoutMs` limits the start as a whole.
    await this.#client.connect(this.#channel, { timeout: LONGEST_MS, prior: await this.#findEra() });
    const capabilities = this.#client.getServerCapabilities();
    this.#client.setNotificationHandler('notifications/tools/list_changed', () => this.#refresh.request());
    this.#client.setNotificationHandler('notifications/prompts/list_changed', () => this.#refreshPrompts.request());
    const lists = [];
    if (capabilities?.tools !== undefined) lists.push(this.#readTools(LONGEST_MS));
    if (capabilities?.prompts !== undefined) lists.push(this.#readPrompts(LONGEST_MS));
    await Promise.all(lists);
    if (!this.#isModern) return;
    const { listenForChanges } = await import('./listen-for-changes.js');
    void listenForChanges(this.#client, {
      timeoutMs: this.#timeoutMs,
      isOver: () => this.#isOver,
      onMissed: () => this.#refresh.request(),
    });
  }

  get #isModern(): boolean {
    return this.#client.getProtocolEra() === 'modern';
  }

  /** Call before the client connects. */
  async #findEra(): Promise<PriorDiscovery> {
    const { transport, isLegacy = false } = this.#options;
    if (transport.mayBeModern !== true || isLegacy) return { kind: 'legacy' };
    const { SUPPORTED_PROTOCOL_VERSIONS } = await import('@modelcontextprotocol/client');
    const legacyVersion = SUPPORTED_PROTOCOL_VERSIONS.find((version) => version < MODERN) ?? '2025-11-25';
    return this.#channel.probe({ ...this.#hello, legacyVersion });
  }

  #stopRefreshing(): void {
    this.#isOver = true;
    clearTimeout(this.#stale);
    this.#refresh.stop();
    this.#refreshPrompts.stop();
  }

  async #readAgain(): Promise<void> {
    try {
      await this.#readTools(this.#timeoutMs);
      this.#options.onToolsChanged?.();
    } catch {
      // The old tools stay.
    }
  }

  async #readPrompts(timeoutMs: number): Promise<void> {
    const { listPrompts } = await import('./prompts.js');
    this.#prompts = await listPrompts(this.#client, { serverName: this.serverName, timeoutMs });
  }

  async #readTools(timeoutMs: number): Promise<void> {
    const { serverName, onNotice, onToolEntries, isTrusted = false, definitionOf } = this.#options;
    const [{ listTools, nameTools }, { mcpTool }] = await Promise.all([
      import('./list-tools.js'),
      import('./mcp-tool.js'),
    ]);
    const sendsHeaders = this.#isModern && this.#options.transport.hasPerRequestStream === true;
    const { entries, ttlMs = 0 } = await listTools(this.#client, { timeoutMs, onNotice, sendsHeaders });
    this.#readWhenStale(ttlMs);
    onToolEntries?.(entries, this.#era);
    this.#tools = nameTools(serverName, entries, this.#options).map(({ name, entry }) =>
      mcpTool({
        name,
        serverName,
        entry,
        isTrusted,
        definition: definitionOf?.(entry, name),
        run: (input, context) =>
          callTool({
            client: this.#client,
            name,
            entry,
            timeoutMs: this.#timeoutMs,
            clocks: this.#clocks,
            ending: () => this.#ending,
            askUser: this.#askUser,
            traceOf: this.#options.traceOf,
            sendsHeaders,
            input,
            context,
          }),
      }),
    );
  }

  /** Only for a server that reports no changes. */
  #readWhenStale(ttlMs: number): void {
    clearTimeout(this.#stale);
    if (ttlMs <= 0 || this.#isOver || this.#client.getServerCapabilities()?.tools?.listChanged === true) return;
    const delay = Math.min(Math.max(ttlMs, SHORTEST_TTL_MS), LONGEST_MS);
    this.#stale = setTimeout(() => this.#refresh.request(), delay);
    this.#stale.unref();
  }

  async #ask<T>(answer: Promise<T>, name: string): Promise<T> {
    try {
      return await answer;
    } catch (thrown) {
      const { toRequestError } = await import('./request-error.js');
      throw await toRequestError(thrown, { name, timeoutMs: this.#timeoutMs, ending: this.#ending });
    }
  }
}

export async function connectInAppMcpServer(options: InAppMcpServerOptions): Promise<InAppMcpConnection> {
  const transport = new ControlBridgeTransport(options.send);
  const connection = await connectMcpServer({ ...options, transport });
  return Object.assign(connection, { deliver: (message: JsonRpcMessage) => transport.deliver(message) });
}
