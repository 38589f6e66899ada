import * as own from '../index.js';
import {
  createClaudeMessages,
  type PermissionMode,
  type SDKMessage,
  type SDKUserMessage,
  toCommandName,
  toServerState,
} from './messages.js';

/** A change of rules, modes or directories. An answer with directories denies the call. */
export type PermissionUpdate =
  | {
      type: 'addRules' | 'replaceRules' | 'removeRules';
      rules: own.PermissionRuleValue[];
      behavior: own.PermissionBehavior;
      destination: own.PermissionUpdateDestination;
    }
  | { type: 'setMode'; mode: PermissionMode; destination: own.PermissionUpdateDestination }
  | {
      type: 'addDirectories' | 'removeDirectories';
      directories: string[];
      destination: own.PermissionUpdateDestination;
    };

type PermissionMembers = {
  updatedPermissions?: readonly PermissionUpdate[] | undefined;
  toolUseID?: string | undefined;
  decisionClassification?: own.PermissionDecisionClassification | undefined;
};
export type PermissionResult =
  | ({ behavior: 'allow'; updatedInput?: Record<string, unknown> | undefined } & PermissionMembers)
  | ({ behavior: 'deny'; message: string; interrupt?: boolean | undefined } & PermissionMembers);

/** Decides whether a tool may run. A throw and a malformed answer are denials. */
export type CanUseTool = (
  toolName: string,
  input: Record<string, unknown>,
  context: {
    readonly signal: AbortSignal;
    readonly suggestions?: PermissionUpdate[];
    readonly blockedPath?: string;
    readonly decisionReason?: string;
    readonly toolUseID: string;
    readonly requestId: string;
    readonly agentID?: string;
  },
) => Promise<PermissionResult | null>;

/** How the CLI is started. `signal` never aborts: the query ends the process with `kill()`. */
export interface SpawnOptions extends own.SpawnRequest {
  readonly args: string[];
  readonly env: Record<string, string>;
  readonly signal: AbortSignal;
}

export type PermissionRequestHookInput = own.HookInputOf<'PermissionRequest'>;
export type PostToolUseFailureHookInput = own.HookInputOf<'PostToolUseFailure'>;
export type SubagentStartHookInput = own.HookInputOf<'SubagentStart'>;

type Replaced = 'canUseTool' | 'spawnClaudeCodeProcess' | 'permissionMode';

/** Options of {@link query}. An unknown one throws `invalid_options`. */
export interface Options extends Omit<own.QueryOptions, Replaced> {
  canUseTool?: CanUseTool | undefined;
  permissionMode?: PermissionMode | undefined;
  spawnClaudeCodeProcess?: ((options: SpawnOptions) => own.SpawnedProcess) | undefined;
}

export interface SlashCommand {
  name: string;
  description: string;
  argumentHint: string;
}
export interface AgentInfo {
  name: string;
  description: string;
  model?: string;
}
export interface McpServerStatus {
  name: string;
  status: 'connected' | 'failed' | 'needs-auth' | 'pending' | 'disabled';
  error?: string;
}
export interface AccountInfo {
  apiKeySource?: string;
  tokenSource?: string;
  apiProvider?: string;
}
export interface SDKControlInitializeResponse {
  commands: SlashCommand[];
  agents: AgentInfo[];
  models: own.ModelInfo[];
  account: AccountInfo;
  output_style: string;
  available_output_styles: string[];
}

/** `NaN` is an unknown number. */
export interface SDKControlGetContextUsageResponse {
  categories: { name: string; tokens: number; color: string }[];
  totalTokens: number;
  /** The context window of the model. */
  maxTokens: number;
  rawMaxTokens: number;
  /** 0 to 100. */
  percentage: number;
  model: string;
}

/** Methods whose answers have another form in the Claude Agent SDK. */
interface OtherAnswers {
  supportedCommands(): Promise<SlashCommand[]>;
  supportedAgents(): Promise<AgentInfo[]>;
  mcpServerStatus(): Promise<McpServerStatus[]>;
  accountInfo(): Promise<AccountInfo>;
  initializationResult(): Promise<SDKControlInitializeResponse>;
  /** Both details are estimates, except the total if the provider counted it. Default `full`. */
  getContextUsage(options?: { detail?: 'summary' | 'full' | undefined }): Promise<SDKControlGetContextUsageResponse>;
}

type Generator = 'next' | 'return' | 'throw' | typeof Symbol.asyncIterator | typeof Symbol.asyncDispose;

/** A running agent. Iterate it for messages; call its methods to steer it. */
export interface Query
  extends Omit<own.Query, keyof OtherAnswers | Generator>,
    OtherAnswers,
    AsyncGenerator<SDKMessage, void> {}

export interface QueryRequest {
  readonly prompt: string | AsyncIterable<SDKUserMessage>;
  readonly options?: Options | undefined;
}

/**
 * Starts the agent as the Claude Agent SDK does: hooks, `canUseTool` and messages have the tool names of Claude Code.
 *
 * @example
 * import { query } from '@qwen/sdk/claude';
 *
 * for await (const message of query({ prompt: 'Find the slowest test.', options: { maxTurns: 10 } })) {
 *   if (message.type === 'result' && message.subtype === 'success') console.log(message.result);
 * }
 */
export function query({ prompt, options = {} }: QueryRequest): Query {
  return toClaudeQuery(own.query({ prompt, options: toOwnOptions(options) }), options.permissionMode);
}

/** A running CLI that waits for its prompt. */
export interface WarmQuery extends AsyncDisposable {
  query(prompt: QueryRequest['prompt']): Query;
  close(): void;
}

/**
 * Starts a CLI ahead of its prompt and resolves when it is ready.
 *
 * @example
 * import { startup } from '@qwen/sdk/claude';
 *
 * await using warm = await startup({ options: { maxTurns: 3 } });
 * for await (const message of warm.query('Summarize README.md')) console.log(message.type);
 */
export async function startup({
  options = {},
  initializeTimeoutMs: initialize,
}: {
  options?: Options | undefined;
  initializeTimeoutMs?: number | undefined;
} = {}): Promise<WarmQuery> {
  const timeout = initialize === undefined ? options.timeout : { ...options.timeout, initialize };
  const warm = await own.startup(toOwnOptions({ ...options, timeout }));
  return {
    query: (prompt) => toClaudeQuery(warm.query(prompt), options.permissionMode),
    close: () => void warm.close(),
    [Symbol.asyncDispose]: () => warm.close(),
  };
}

function toOwnOptions({ canUseTool, spawnClaudeCodeProcess: start, ...options }: Options): own.QueryOptions {
  return {
    toolNames: 'claude',
    ...options,
    ...(canUseTool !== undefined && { canUseTool: typeof canUseTool === 'function' ? asking(canUseTool) : canUseTool }),
    ...(start !== undefined && {
      spawnProcess: (request) =>
        start({ ...request, args: [...request.args], env: { ...request.env }, signal: new AbortController().signal }),
    }),
  };
}

function asking(canUseTool: CanUseTool): own.CanUseTool {
  return async (toolName, input, context) => {
    const { signal, toolUseID, requestId, suggestions, blockedPath, decisionReason, agentID } = context;
    const answer = await canUseTool(toolName, input, {
      signal,
      toolUseID,
      requestId,
      // The CLI sends them in this form because of `toolNames`.
      ...(suggestions !== null && { suggestions: suggestions as never }),
      ...(blockedPath !== null && { blockedPath }),
      ...(decisionReason !== undefined && { decisionReason }),
      ...(agentID !== undefined && { agentID }),
    });
    // Updates without a counterpart deny the call.
    return answer as own.PermissionResult;
  };
}

function toClaudeQuery(running: own.Query, startMode: PermissionMode | undefined): Query {
  let mode = startMode;
  const toClaudeMessage = createClaudeMessages(() => mode === 'dontAsk');
  const answers: OtherAnswers & Pick<Query, 'next' | 'setPermissionMode'> = {
    async setPermissionMode(next) {
      await own.Query.prototype.setPermissionMode.call(running, next);
      mode = next as PermissionMode;
    },
    async next() {
      const item = await own.Query.prototype.next.call(running);
      return item.done === true ? item : { done: false, value: toClaudeMessage(item.value) };
    },
    async supportedCommands() {
      const { commands } = await own.Query.prototype.supportedCommands.call(running);
      return commands.map(toCommandName).map(toCommand);
    },
    async supportedAgents() {
      return ((await running.initialize()).agents ?? []).map(toAgent);
    },
    async mcpServerStatus() {
      return (await running.mcpServers()).map((server) => ({
        name: server.name,
        status: toServerState(server.status) as McpServerStatus['status'],
        ...(server.error !== undefined && { error: server.error }),
      }));
    },
    async accountInfo() {
      return toAccount((await running.initialize()).account);
    },
    async getContextUsage() {
      const usage = await own.Query.prototype.getContextUsage.call(running, true);
      const { max_tokens: maxTokens = Number.NaN, percentage = Number.NaN, categories = [] } = usage;
      return {
        categories: categories.map(({ name, tokens }) => ({ name, tokens, color: 'inactive' })),
        totalTokens: usage.total_tokens,
        maxTokens,
        rawMaxTokens: maxTokens,
        percentage,
        model: usage.model,
      };
    },
    async initializationResult() {
      const { commands = [], agents = [], account } = await running.initialize();
      const { models } = await running.getAvailableModels();
      return {
        commands: commands.map(toCommandName).map(toCommand),
        agents: agents.map(toAgent),
        models: models.map(({ id, name = id, ...model }) => ({
          ...model,
          id,
          name,
          value: id,
          displayName: name,
          description: name,
        })),
        account: toAccount(account),
        output_style: 'default',
        available_output_styles: ['default'],
      };
    },
  };
  return Object.assign(running, answers) as never;
}

const toCommand = (name: string): SlashCommand => ({ name, description: '', argumentHint: '' });
const toAgent = (name: string): AgentInfo => ({ name, description: '' });

function toAccount({ credential_source: source, provider }: own.AccountInfo = {}): AccountInfo {
  return {
    ...(source !== undefined && { apiKeySource: source, tokenSource: source }),
    ...(provider !== undefined && { apiProvider: provider }),
  };
}
