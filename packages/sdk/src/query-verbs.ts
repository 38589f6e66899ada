import type { ControlPayload, ControlResult, JsonRpcMessage, PermissionMode, SubtypeAskedBy } from '@qwen/protocol';
import type { Conversation } from './conversation.js';
import type { InitializeResult } from './handshake.js';
import type { ToolInput } from './permissions.js';
import { type McpServerState, toServerStates, toServerStatus } from './server-status.js';

/** How one control request shall be asked. */
export interface ControlRequestOptions {
  /** Aborting it rejects the request with `cancelled` and withdraws it. */
  readonly signal?: AbortSignal | undefined;
  /** Milliseconds; 0 and Infinity mean for ever. Default: `timeout.controlRequest` of the query. */
  readonly timeout?: number | undefined;
}

/** Whether a wish for effort has an effect, and what overrides it. */
export type EffortStatus = ControlResult<'set_effort'>;
/** How full the window of the model is, and with what. */
export type ContextUsage = ControlResult<'get_context_usage'>;
/** The tokens that a session has used, by model. */
export type UsageInfo = ControlResult<'get_usage_info'>;
/** The models of the provider, and which one answers now. */
export type AvailableModels = ControlResult<'get_available_models'>;
/** One model of the provider. */
export type ModelInfo = AvailableModels['models'][number];
/** What would be decided about a tool call, and why. */
export type PermissionExplanation = ControlResult<'explain_permission'>;
/** Where requests to the model go, without secrets. */
export type AccountInfo = NonNullable<InitializeResult['account']>;
/** Whether an unfinished turn goes on, and why not. */
export type ContinuedTurn = ControlResult<'continue_last_turn'>;

/**
 * What an app can ask of a running agent. Answers are as the CLI gives them, with the names of the wire, like messages.
 * The verbs may be called at any time, also from callbacks; after the end they reject with `channel_closed`, and with
 * `unknown_subtype` for what an older CLI does not serve.
 */
export class QueryVerbs {
  readonly #conversation: Conversation;

  constructor(conversation: Conversation) {
    this.#conversation = conversation;
  }

  /** The answer to `initialize` (O-05): model, mode, commands and capabilities. It was asked at the start. */
  initialize(): Promise<InitializeResult> {
    return this.#conversation.initialized;
  }

  /** Stops the running turn; its result has the subtype `interrupted`. Does nothing when none runs (O-06). */
  async interrupt(): Promise<void> {
    await this.#conversation.ask('interrupt', {});
  }

  /**
   * Goes on with the turn that was cut short, without a new message; it has a result of its own. Not accepted, with the
   * reason, when nothing is unfinished. Rejects with `channel_closed` when the input of the query has ended.
   */
  continueLastTurn(): Promise<ContinuedTurn> {
    return this.#conversation.continueLastTurn();
  }

  /** Switches the model from the next model call on (O-07); null means the default model. */
  async setModel(model: string | null): Promise<void> {
    await this.#conversation.ask('set_model', { model });
  }

  /** Switches the permission mode from the next decision on (O-10). */
  async setPermissionMode(mode: PermissionMode): Promise<void> {
    await this.#conversation.ask('set_permission_mode', { mode });
  }

  /**
   * Sets how much the model shall think, from its next call on; null means as the provider likes. Resolves with whether
   * it has an effect.
   */
  async setEffort(effort: string | null): Promise<boolean> {
    const { applied } = await this.setEffortStatus(effort);
    return applied;
  }

  /** The same with the reason where it has none. */
  setEffortStatus(effort: string | null): Promise<EffortStatus> {
    return this.#conversation.ask('set_effort', { effort });
  }

  /** What became of the option `effort`; undefined without it, and until the CLI is ready. */
  getInitialEffortStatus(): EffortStatus | undefined {
    return this.#conversation.answer?.effort_status;
  }

  /** The slash commands, without the slash (O-08). */
  async supportedCommands(): Promise<string[]> {
    const { commands } = await this.#conversation.ask('supported_commands', {});
    return commands;
  }

  /** The models that the provider names; only the current one where it names none. */
  async supportedModels(): Promise<ModelInfo[]> {
    const { models } = await this.getAvailableModels();
    return models;
  }

  /** The same with the current model, and why the list may be incomplete. */
  getAvailableModels(): Promise<AvailableModels> {
    return this.#conversation.ask('get_available_models', {});
  }

  /** The subagents that the model may give tasks to. */
  async supportedAgents(): Promise<string[]> {
    const { agents = [] } = await this.initialize();
    return agents;
  }

  /** Which provider answers, at which host, and where its key came from; undefined when the CLI does not tell. */
  async accountInfo(): Promise<AccountInfo | undefined> {
    const { account } = await this.initialize();
    return account;
  }

  /** How full the window of the model is; with `showDetails` also with what. */
  getContextUsage({ showDetails = false }: { readonly showDetails?: boolean } = {}): Promise<ContextUsage> {
    return this.#conversation.ask('get_context_usage', { show_details: showDetails });
  }

  /** The tokens that this session has used, by model. */
  getUsageInfo(): Promise<UsageInfo> {
    return this.#conversation.ask('get_usage_info', {});
  }

  /**
   * What would be decided about a call now, by the evaluator that decides in earnest, and by which rule, mode or hook.
   * Nothing runs and nobody is asked.
   */
  explainPermission(toolName: string, input: ToolInput): Promise<PermissionExplanation> {
    return this.#conversation.ask('explain_permission', { tool_name: toolName, input });
  }

  /**
   * Checks a call without running it (O-09): {@link explainPermission} under the name of the older SDKs. `ask` means that
   * the `canUseTool` of the options would be called, with `permission_suggestions`.
   */
  canUseTool(toolName: string, input: ToolInput, options?: ControlRequestOptions): Promise<PermissionExplanation> {
    return this.sendControlRequest('explain_permission', { tool_name: toolName, input }, options);
  }

  /** The state of each MCP server by name: `connected`, `connecting` or `disconnected` (O-11). */
  async mcpServerStatus(): Promise<Record<string, string>> {
    return toServerStatus(await this.#conversation.ask('mcp_server_status', {}));
  }

  /** The same as a list, with why a server is not connected. */
  async mcpServers(): Promise<McpServerState[]> {
    return toServerStates(await this.#conversation.ask('mcp_server_status', {}));
  }

  /** Closes the connection to an MCP server and makes a new one. Rejects when there is none of that name. */
  async reconnectMcpServer(serverName: string): Promise<void> {
    await this.#conversation.ask('mcp_reconnect', { serverName });
  }

  /** Switches an MCP server off, or on again, for this session. */
  async toggleMcpServer(serverName: string, { enabled }: { readonly enabled: boolean }): Promise<void> {
    await this.#conversation.ask('mcp_toggle', { serverName, enabled });
  }

  /** Sends a JSON-RPC notification in the name of an MCP server of this app to its client in the CLI (O-12). */
  mcpMessage(serverName: string, message: JsonRpcMessage): Promise<void> {
    return this.#conversation.notify({ server_name: serverName, message });
  }

  /**
   * Asks the CLI for a sign of life, which it gives in the middle of a turn too, and resolves with the milliseconds
   * that took. Rejects with `timeout` when it is stuck (FB7); see also `lastActivityAt`.
   */
  async ping(options?: ControlRequestOptions): Promise<number> {
    const askedAt = performance.now();
    await this.sendControlRequest('mcp_server_status', {}, options);
    return performance.now() - askedAt;
  }

  /** Asks any control request that an app may ask (O-01); the verbs above are shorter. */
  sendControlRequest<T extends SubtypeAskedBy<'app'>>(
    subtype: T,
    data: ControlPayload<T>,
    options: ControlRequestOptions = {},
  ): Promise<ControlResult<T>> {
    const { signal, timeout } = options;
    return this.#conversation.ask(subtype, data, { signal, timeoutMs: timeout === Infinity ? 0 : timeout });
  }
}
