import type { Client } from '@modelcontextprotocol/sdk/client/index.js';
import type { AnyTool } from '@qwen/agent';
import { AgentError, createDeferred, DEFAULT_TIMEOUTS, type JsonRpcMessage, QWEN_VERSION } from '@qwen/protocol';
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

/** A live client of one MCP server. Whoever connected closes it. */
export interface McpConnection {
  readonly serverName: string;
  /** The tools of the server as ours, in its order. */
  readonly tools: readonly AnyTool[];
  /** The prompts of the server, in its order. */
  readonly prompts: readonly McpPrompt[];
  /** Whether the server has resources to read. */
  readonly hasResources: boolean;
  /** Settles when the connection has ended: with the reason, or with undefined after `close()`. Never rejects. */
  readonly ended: Promise<AgentError | undefined>;
  /** Rejects with `tool_failed` or `mcp_failed`. */
  listResources(options: { readonly signal: AbortSignal }): Promise<readonly ResourceEntry[]>;
  readResource(uri: string, options: { readonly signal: AbortSignal }): Promise<ResourceText>;
  /** Fills a prompt in. Rejects with `invalid_tool_input` for arguments that are missing. */
  getPrompt(name: string, values: Readonly<Record<string, string>>): Promise<PromptMessages>;
  /** Ends what still runs on it with `mcp_failed`. Idempotent. */
  close(): Promise<void>;
}

/** What every connection takes. */
interface McpConnectionOptions extends ToolChoice {
  readonly serverName: string;
  /** For one request, in milliseconds; progress starts it anew. 0 means for ever. Default 60 000. */
  readonly requestTimeoutMs?: number;
  /** For everything until the tools are listed, in milliseconds. 0 means for ever. Default: as for one request. */
  readonly startTimeoutMs?: number;
  /** Gives up a start that is not over yet; no effect afterwards. */
  readonly signal?: AbortSignal;
  /** Called after the server changed its list of tools; `tools` of the connection is new by then. */
  readonly onToolsChanged?: () => void;
  /** Hears what the server lists or sends that had to be left out, in words for people. */
  readonly onNotice?: (message: string) => void;
  /** Whether a tool may run without a question; by the server's name of it. Default: none may. */
  readonly isTrusted?: (toolName: string) => boolean;
  /** Takes the tools as the server listed them, at the start and after each change. */
  readonly onToolEntries?: (entries: readonly McpToolEntry[]) => void;
}

export interface McpServerOptions extends McpConnectionOptions {
  /** Any way to reach the server. The connection starts it and closes it. */
  readonly transport: McpTransport;
  /** Asks the user what the server wants to know. Missing: the server is told that nobody is there to be asked. */
  readonly elicit?: Elicit | undefined;
}

export interface InAppMcpServerOptions extends McpConnectionOptions {
  readonly send: BridgeSend;
}

/** A connection to a server inside of the app. */
export interface InAppMcpConnection extends McpConnection {
  /** Takes a message that the server sent unasked. */
  deliver(message: JsonRpcMessage): void;
}

/** A server may say any number of times that its tools changed: it is asked again this much later, once (F110). */
const CHANGE_DELAY_MS = 50;

/**
 * Connects to a server and lists what it has. The client library loads here and not before (O-33). Offers the server
 * nothing of ours: no completions, no roots, and questions to the user only where somebody answers (S97). Rejects with `timeout`,
 * `mcp_auth_required` or `mcp_failed`; nothing is left open then.
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
  readonly #ended = createDeferred<AgentError | undefined>();
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
    let timer: NodeJS.Timeout | undefined;
    let giveUp = (): void => {};
    const limit = new Promise<never>((_, reject) => {
      giveUp = () => reject(new AgentError('aborted', `The start of ${serverName} was given up.`));
      signal?.addEventListener('abort', giveUp, { once: true });
      if (signal?.aborted === true) giveUp();
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
      signal?.removeEventListener('abort', giveUp);
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
    // The client forgets its transport as soon as that says it is closed, while a process may still be leaving.
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
    // The start as a whole has a limit; a program that is slow to load is no slow server.
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
      // The tools that it listed before stay; the next change or call shows what is wrong.
    }
  }

  async #readPrompts(timeoutMs: number): Promise<void> {
    const { listPrompts } = await import('./prompts.js');
    this.#prompts = await listPrompts(this.#client, { serverName: this.serverName, timeoutMs });
  }

  async #readTools(timeoutMs: number): Promise<void> {
    const { serverName, onNotice, onToolEntries, isTrusted } = this.#options;
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
        isTrusted: isTrusted?.(entry.name) ?? false,
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

/** Connects to a server that lives in the app, over the control channel. */
export async function connectInAppMcpServer(options: InAppMcpServerOptions): Promise<InAppMcpConnection> {
  const transport = new ControlBridgeTransport(options.send);
  const connection = await connectMcpServer({ ...options, transport });
  return Object.assign(connection, { deliver: (message: JsonRpcMessage) => transport.deliver(message) });
}
