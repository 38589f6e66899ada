import type {
  ControlPayload,
  ControlResult,
  Effort,
  JsonRpcMessage,
  SDKMessage,
  SDKResultSuccess,
  SDKUserMessage,
  SubtypeAskedBy,
} from '@qwen/protocol';
import type { ToolInput } from '../callbacks/can-use-tool.js';
import { toEffortOf, toOwnMode } from '../options/foreign-options.js';
import type { McpServerConfig, PermissionModeOption } from '../options/options.js';
import type { CloseOptions, TransportExit } from '../transport/transport.js';
import type {
  AccountInfo,
  ContextUsage,
  ControlRequestOptions,
  EffortStatus,
  McpSetServersResult,
  PermissionExplanation,
  SupportedCommands,
  UsageInfo,
} from './control-results.js';
import type { InitializeResult } from './handshake.js';
import { type AvailableModels, type ModelInfo, toModelInfo } from './model-info.js';
import type { QueryConnection } from './query-connection.js';
import { addRefusedMethods } from './refused-methods.js';
import { type McpServerState, toServerStates, toServerStatus } from './server-status.js';
import { TurnControls } from './turn-controls.js';

export type { AvailableModels, ModelInfo } from './model-info.js';

/** A message of a query whose results hold an `Output`. */
export type QueryMessage<Output = unknown> =
  | Exclude<SDKMessage, SDKResultSuccess>
  | (SDKResultSuccess & { structured_output?: Output | undefined });

/** Only {@link query} and its relatives create one, so that its process has one owner. */
export let toQuery: <Output>(connection: QueryConnection) => Query<Output>;

/**
 * A running agent. Iterate it for messages; call its methods to steer it. `query()` creates one.
 *
 * The iteration ends when every prompt is answered and the CLI has exited. It throws `AbortError` after an abort,
 * `process_exited` if the CLI exits early, and whatever the app's prompt iterable throws. A result with `is_error`
 * is a message, not an exception. Leaving the loop closes the query and ends its process.
 *
 * Methods that ask the CLI may be called at any time, also from callbacks. They reject with `channel_closed` after
 * the end, and with `unknown_subtype` if the CLI is too old. Answers keep their wire names.
 *
 * @example
 * import { query } from '@qwen/sdk';
 *
 * const running = query({ prompt: 'Find the slowest test.', options: { permissionMode: 'plan' } });
 * process.once('SIGINT', () => void running.interrupt());
 * for await (const message of running) {
 *   if (message.type === 'result') console.log(message.result, await running.getContextUsage());
 * }
 */
export class Query<Output = unknown>
  extends TurnControls
  implements AsyncGenerator<QueryMessage<Output>, void, unknown>
{
  /** Resolves when the CLI is ready; rejects if it fails to start. No need to await it. */
  readonly initialized: Promise<void>;
  readonly #connection: QueryConnection;

  private constructor(connection: QueryConnection) {
    super(connection);
    this.#connection = connection;
    this.initialized = this.#connection.initialized.then(() => undefined);
    this.initialized.catch(() => undefined);
  }

  static {
    toQuery = (connection) => new Query(connection);
    addRefusedMethods(Query.prototype);
  }

  /**
   * The session id. Undefined until `initialized` if the CLI chooses it: with `continue`, and with `forkSession`
   * without `sessionId`.
   */
  get sessionId(): string | undefined {
    return this.#connection.sessionId;
  }

  /** As {@link sessionId}, but an empty string instead of undefined. */
  getSessionId(): string {
    return this.sessionId ?? '';
  }

  /** Process id of the CLI, also after it has exited. */
  get pid(): number | undefined {
    return this.#connection.pid;
  }

  /**
   * When the last line of the CLI arrived, in milliseconds since 1970; undefined before the first. During a turn,
   * silence may mean a slow model: use {@link ping} to check the CLI itself.
   */
  get lastActivityAt(): number | undefined {
    return this.#connection.lastActivityAt;
  }

  /** Resolves with the exit status when the CLI is gone. Never rejects. */
  get closed(): Promise<TransportExit> {
    return this.#connection.closed;
  }

  /** Whether the query has ended, for any reason. */
  isClosed(): boolean {
    return this.#connection.ended;
  }

  async next(): Promise<IteratorResult<QueryMessage<Output>, undefined>> {
    const item = await this.#connection.next();
    // The connection has validated the result against the schema that `Output` is inferred from.
    return item as IteratorResult<QueryMessage<Output>, undefined>;
  }

  /** Closes the query; `break` in a `for await` calls it. */
  async return(_value?: unknown): Promise<IteratorResult<QueryMessage<Output>, undefined>> {
    await this.#connection.close({}, true);
    return { done: true, value: undefined };
  }

  /** Closes the query and rejects with the error. */
  async throw(error?: unknown): Promise<IteratorResult<QueryMessage<Output>, undefined>> {
    await this.close();
    throw error;
  }

  [Symbol.asyncIterator](): this {
    return this;
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.close();
  }

  /**
   * Interrupts the turn, ends the CLI and discards unread messages; the iteration ends without throwing. Resolves
   * when the process is gone. Idempotent, never rejects.
   */
  async close(options?: CloseOptions): Promise<void> {
    await this.#connection.close(options);
  }

  /** Sends more prompts, in order. Resolves when the last one is sent, not when it is answered. */
  async streamInput(messages: AsyncIterable<SDKUserMessage>): Promise<void> {
    this.#connection.assertNotClosed();
    return this.#connection.input.sendAll(messages);
  }

  /** Accepts no more prompts. The CLI answers those already sent, then exits. */
  endInput(): void {
    this.#connection.input.end();
  }

  /** The answer to `initialize`: model, mode, commands and capabilities. Sends nothing. */
  initialize(): Promise<InitializeResult> {
    return this.#connection.initialized;
  }

  /** {@link initialize} under the name of the Claude Agent SDK. */
  initializationResult(): Promise<InitializeResult> {
    return this.initialize();
  }

  /**
   * Lets the CLI and its commands run for another `ttlMs` milliseconds; then they end at once, even if this process is
   * frozen. The time counts from the call. For apps that may lose the session to another process: renew it while this process has the session.
   * Without a call there is no such limit. Rejects with `process_exited` or `channel_closed` once the CLI is gone.
   *
   * @example
   * await running.renewLease(10_000);
   */
  async renewLease(ttlMs: number): Promise<void> {
    await this.#connection.request('renew_lease', { ttl_ms: ttlMs, expires_at: Date.now() + ttlMs });
  }

  /** Switches the model, effective with the next model call. Null and undefined select the default model. */
  async setModel(model: string | null = null): Promise<void> {
    const { ownChanges } = this.#connection;
    await ownChanges.expect('model_changed', model, () => this.#connection.request('set_model', { model }));
  }

  /** Switches the permission mode, effective with the next decision. `dontAsk` also stops calls of `canUseTool`. */
  async setPermissionMode(mode: PermissionModeOption): Promise<void> {
    const own = toOwnMode(mode, 'setPermissionMode');
    await this.#connection.setPermissionMode(own, mode !== 'dontAsk');
  }

  /** As {@link setEffort}, by a number of tokens as in the option `maxThinkingTokens`. Rejects for 0. */
  async setMaxThinkingTokens(maxThinkingTokens: number | null): Promise<void> {
    await this.setEffort(toEffortOf(maxThinkingTokens, 'setMaxThinkingTokens'));
  }

  /**
   * Sets the reasoning effort, effective with the next model call. Null selects the provider's default. Resolves
   * with whether it applies.
   */
  async setEffort(effort: Effort | null): Promise<boolean> {
    const { applied } = await this.setEffortStatus(effort);
    return applied;
  }

  /** As {@link setEffort}, with the reason if it does not apply. */
  async setEffortStatus(effort: Effort | null): Promise<EffortStatus> {
    return withOverride(await this.#connection.request('set_effort', { effort }));
  }

  /** Whether the option `effort` applies; undefined without that option, and until the CLI is ready. */
  getInitialEffortStatus(): EffortStatus | undefined {
    const status = this.#connection.answer?.effort_status;
    return status && withOverride(status);
  }

  /** Names of the slash commands, without the slash. */
  supportedCommands(): Promise<SupportedCommands> {
    return this.#connection.request('supported_commands', {});
  }

  /** The provider's models; only the current one if the provider lists none. */
  async supportedModels(): Promise<ModelInfo[]> {
    const { models } = await this.getAvailableModels();
    return models.map(toModelInfo);
  }

  /** As {@link supportedModels}, with the current model and why the list may be incomplete. */
  getAvailableModels(): Promise<AvailableModels> {
    return this.#connection.request('get_available_models', {});
  }

  /** Names of the available subagents. */
  async supportedAgents(): Promise<string[]> {
    const { agents = [] } = await this.initialize();
    return agents;
  }

  /** Provider, host and the source of the key; undefined if the CLI does not report it. */
  async accountInfo(): Promise<AccountInfo | undefined> {
    const { account } = await this.initialize();
    return account;
  }

  /** Usage of the context window; `showDetails` adds what occupies it. `true` is short for `{ showDetails: true }`. */
  getContextUsage(details: boolean | { readonly showDetails?: boolean } = {}): Promise<ContextUsage> {
    const { showDetails = false } = typeof details === 'boolean' ? { showDetails: details } : details;
    return this.#connection.request('get_context_usage', { show_details: showDetails });
  }

  /** Tokens used by this session, per model. `range` is for the CLI of qwen-code, which also counts other sessions. */
  getUsageInfo(range?: 'today' | 'week' | 'month' | 'all'): Promise<UsageInfo> {
    return this.#connection.request('get_usage_info', range === undefined ? {} : { range });
  }

  /** The decision for a tool call, and the rule, mode or hook it follows. Runs nothing and asks no one. */
  explainPermission(
    toolName: string,
    input: ToolInput,
    options?: ControlRequestOptions,
  ): Promise<PermissionExplanation> {
    return this.sendControlRequest('explain_permission', { tool_name: toolName, input }, options);
  }

  /**
   * {@link explainPermission} under the name of the older SDKs. `ask` means that the CLI would call `canUseTool` of
   * the options, with `permission_suggestions`.
   */
  canUseTool(toolName: string, input: ToolInput, options?: ControlRequestOptions): Promise<PermissionExplanation> {
    return this.explainPermission(toolName, input, options);
  }

  /** State of each MCP server by name: `connected`, `connecting` or `disconnected`. */
  async mcpServerStatus(): Promise<Record<string, string>> {
    return toServerStatus(await this.#connection.request('mcp_server_status', {}));
  }

  /** As {@link mcpServerStatus}, but a list with the reason why a server is not connected. */
  async mcpServers(): Promise<McpServerState[]> {
    return toServerStates(await this.#connection.request('mcp_server_status', {}));
  }

  /** Reconnects an MCP server. Rejects if there is none with that name. */
  async reconnectMcpServer(serverName: string): Promise<void> {
    await this.#connection.request('mcp_reconnect', { serverName });
  }

  /** Enables or disables an MCP server for this session. */
  async toggleMcpServer(serverName: string, choice: boolean | { readonly enabled: boolean }): Promise<void> {
    const enabled = typeof choice === 'boolean' ? choice : choice.enabled;
    await this.#connection.request('mcp_toggle', { serverName, enabled });
  }

  /**
   * Replaces the in-process MCP servers and those of earlier calls, from the next model call on. External servers of the
   * option `mcpServers` stay. Resolves when the new ones are connected or have failed; `invalid_options` changes nothing.
   */
  setMcpServers(servers: Readonly<Record<string, McpServerConfig>>): Promise<McpSetServersResult> {
    return this.#connection.setMcpServers(servers);
  }

  /** Sends a JSON-RPC notification from an in-process MCP server to its client in the CLI. */
  mcpMessage(serverName: string, message: JsonRpcMessage): Promise<void> {
    return this.#connection.notifyMcpClient(serverName, message);
  }

  /**
   * Checks that the CLI responds, also during a turn. Resolves with the round trip in milliseconds; rejects with
   * `timeout` if the CLI hangs.
   */
  async ping(options?: ControlRequestOptions): Promise<number> {
    const sentAt = performance.now();
    await this.sendControlRequest('mcp_server_status', {}, options);
    return performance.now() - sentAt;
  }

  /** Sends any control request that an app may send. The methods above are shorter. */
  sendControlRequest<T extends SubtypeAskedBy<'app'>>(
    subtype: T,
    data: ControlPayload<T>,
    { signal, timeout }: ControlRequestOptions = {},
  ): Promise<ControlResult<T>> {
    return this.#connection.request(subtype, data, { signal, timeoutMs: timeout === Infinity ? 0 : timeout });
  }
}

function withOverride(status: ControlResult<'set_effort'>): EffortStatus {
  return { ...status, override: status.override ?? null };
}
