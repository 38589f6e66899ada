import type { Client } from '@modelcontextprotocol/sdk/client/index.js';
import type { AnyTool, ToolDefinition } from '@qwen/agent';
import { AgentError, DEFAULT_TIMEOUTS, type JsonRpcMessage, QWEN_VERSION } from '@qwen/protocol';
import { type BridgeSend, ControlBridgeTransport } from './bridge-transport.js';
import { CallClocks, LONGEST_MS } from './call-clock.js';
import { callTool } from './call-tool.js';
import { coalesce } from './coalesce.js';
import type { Elicit } from './elicitation.js';
import type { ToolChoice } from './list-tools.js';
import type { McpToolEntry } from './mcp-tool.js';
import type { McpPrompt, PromptMessages } from './prompts.js';
import type { ResourceEntry, ResourceText } from './resources.js';
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
  /** Receives the listed tools, also after each change. */
  readonly onToolEntries?: (entries: readonly McpToolEntry[]) => void;
}

export interface McpServerOptions extends McpConnectionOptions {
  /** The connection starts and closes it. */
  readonly transport: McpTransport;
  /** Without it, elicitation is not offered. */
  readonly elicit?: Elicit | undefined;
}

export interface InAppMcpServerOptions extends McpConnectionOptions {
  readonly send: BridgeSend;
}

export interface InAppMcpConnection extends McpConnection {
  deliver(message: JsonRpcMessage): void;
}

/** Collects repeated notifications about changes. */
const CHANGE_DELAY_MS = 50;

/**
 * Loads the client library. Offers the server no sampling and no roots. Rejects with `timeout`, `mcp_auth_required`
 * or `mcp_failed`, with nothing left open.
 */
export async function connectMcpServer(options: McpServerOptions): Promise<McpConnection> {
  const { Client } = await import('@modelcontextprotocol/sdk/client/index.js');
  const { elicit, onNotice } = options;
  const capabilities = elicit === undefined ? {} : { elicitation: { form: {} } };
  const client = new Client({ name: 'qwen', version: QWEN_VERSION }, { capabilities });
  const clocks = new CallClocks();
  if (elicit !== undefined) {
    const { serveElicitations } = await import('./elicitation.js');
    await serveElicitations(client, { elicit: (question, how) => clocks.during(elicit(question, how)), onNotice });
  }
  const connection = new ClientConnection(client, clocks, options);
  await connection.start();
  return connection;
}

class ClientConnection implements McpConnection {
  readonly #client: Client;
  readonly #clocks: CallClocks;
  readonly #options: McpServerOptions;
  readonly #timeoutMs: number;
  readonly #ended = Promise.withResolvers<AgentError | undefined>();
  readonly ended: Promise<AgentError | undefined> = this.#ended.promise;
  readonly #refresh = coalesce(() => this.#readAgain(), CHANGE_DELAY_MS);
  readonly #refreshPrompts = coalesce(() => this.#readPrompts(this.#timeoutMs).catch(() => undefined), CHANGE_DELAY_MS);
  #tools: readonly AnyTool[] = [];
  #prompts: readonly McpPrompt[] = [];
  #ending: AgentError | undefined;

  constructor(client: Client, clocks: CallClocks, options: McpServerOptions) {
    const { requestTimeoutMs = DEFAULT_TIMEOUTS.mcpRequest } = options;
    this.#client = client;
    this.#clocks = clocks;
    this.#options = options;
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

  get hasResources(): boolean {
    return this.#client.getServerCapabilities()?.resources !== undefined;
  }

  async start(): Promise<void> {
    const { serverName, transport, startTimeoutMs = this.#timeoutMs, signal } = this.#options;
    const canceled = new AgentError('aborted', `The start of ${serverName} was canceled.`);
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
      const { failure } = transport;
      throw failure ?? (await toRequestError(thrown, { name: serverName, timeoutMs: this.#timeoutMs }));
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
    await this.#client.connect(transport, { timeout: LONGEST_MS });
    const capabilities = this.#client.getServerCapabilities();
    if (capabilities?.tools !== undefined) {
      await this.#readTools(LONGEST_MS);
      const { ToolListChangedNotificationSchema } = await import('@modelcontextprotocol/sdk/types.js');
      this.#client.setNotificationHandler(ToolListChangedNotificationSchema, () => this.#refresh.request());
    }
    if (capabilities?.prompts !== undefined) {
      await this.#readPrompts(LONGEST_MS);
      const { PromptListChangedNotificationSchema } = await import('@modelcontextprotocol/sdk/types.js');
      this.#client.setNotificationHandler(PromptListChangedNotificationSchema, () => this.#refreshPrompts.request());
    }
  }

  #stopRefreshing(): void {
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
    const entries = await listTools(this.#client, { timeoutMs, onNotice });
    onToolEntries?.(entries);
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
            input,
            context,
          }),
      }),
    );
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
