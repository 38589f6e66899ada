import type {
  AgentConfig,
  CliMcpServerConfig,
  PermissionMode,
  PermissionSuggestion,
  SdkMcpServerConfig,
  Timeouts,
} from '@qwen/protocol';
import type { SdkMcpServerInstance } from './mcp/sdk-mcp-server-instance.js';

/** The provider family that the CLI signs in to. */
export type AuthType = 'openai' | 'openai-responses' | 'anthropic' | 'qwen-oauth' | 'gemini' | 'vertex-ai';

/** The built-in system prompt, with words of the app after it. */
export interface QuerySystemPromptPreset {
  readonly type: 'preset';
  readonly preset: 'qwen_code';
  readonly append?: string | undefined;
}

/** A string replaces the built-in system prompt; the preset keeps it. */
export type QuerySystemPrompt = string | QuerySystemPromptPreset;

/** The input of one tool call, by parameter name. */
export type ToolInput = Record<string, unknown>;

/** What a permission callback gets beside the tool and its input. */
export interface CanUseToolContext {
  /** Aborts when the question is withdrawn: its deadline passed, the turn was interrupted or the query closed. */
  readonly signal: AbortSignal;
  /** Answers that could be offered to a person; null when there are none. */
  readonly suggestions: readonly PermissionSuggestion[] | null;
  /** The id of the call, as in the `tool_use` block of the message. */
  readonly toolUseId: string;
  /** The path outside of the workspace that made the agent ask. */
  readonly blockedPath: string | null;
  /** Why the agent asks, for people. */
  readonly reason: string | undefined;
}

/** The answer to a permission question. A denial with `interrupt` also stops the turn. */
export type PermissionResult =
  | {
      behavior: 'allow';
      /** Replaces the input of the call; it is checked like an input of the model. Default: unchanged. */
      updatedInput?: ToolInput | undefined;
    }
  | { behavior: 'deny'; message: string; interrupt?: boolean | undefined };

/**
 * Decides whether a tool may run. Called once for each call that the permission mode and the rules do not decide;
 * several may run at once, and each may use the query it belongs to. A throw, an answer of another shape and an
 * answer after `signal` aborted all count as a denial.
 */
export type CanUseTool = (
  toolName: string,
  input: ToolInput,
  context: CanUseToolContext,
) => PermissionResult | Promise<PermissionResult>;

/** An MCP server that lives in this process; see `createSdkMcpServer`. */
export interface SdkMcpServerConfigWithInstance extends SdkMcpServerConfig {
  type: 'sdk';
  name: string;
  instance: SdkMcpServerInstance;
}

/** An MCP server: one in this process, or one that the CLI starts or connects to. */
export type McpServerConfig = SdkMcpServerConfigWithInstance | CliMcpServerConfig;

/** Milliseconds that each kind of request may take; 0 and Infinity mean for ever. Default 60,000 each. */
export type QueryTimeouts = { readonly [Name in keyof Timeouts]?: number | undefined };

/** What `query()` may be told. A member that is undefined counts as missing; an unknown member is refused by name. */
export interface QueryOptions {
  /** The CLI: a file, or a bare name on the PATH. Default: the one installed with this package, else `qwen`. */
  readonly pathToQwenExecutable?: string | undefined;
  /** The folder that the agent works in. Default: that of this process. */
  readonly cwd?: string | undefined;
  /** Further folders that count as workspace. */
  readonly includeDirectories?: readonly string[] | undefined;
  /** Laid over the environment of this process; undefined takes a variable away. `NODE_OPTIONS` is not inherited. */
  readonly env?: Readonly<Record<string, string | undefined>> | undefined;
  readonly model?: string | undefined;
  readonly authType?: AuthType | undefined;
  readonly systemPrompt?: QuerySystemPrompt | undefined;
  /** Default: what the user's settings say, or `default` when there is a `canUseTool`. */
  readonly permissionMode?: PermissionMode | undefined;
  /** Answers permission questions. Without it, what would ask is denied. */
  readonly canUseTool?: CanUseTool | undefined;
  /** Tools, or rules such as `Bash(git *)`, that run unasked. */
  readonly allowedTools?: readonly string[] | undefined;
  /** Tools or rules that never run. */
  readonly excludeTools?: readonly string[] | undefined;
  /** The only built-in tools that the model is told of. Default: all. */
  readonly coreTools?: readonly string[] | undefined;
  /** MCP servers by name. */
  readonly mcpServers?: Readonly<Record<string, McpServerConfig>> | undefined;
  /** Also yield answers piece by piece, as `stream_event` messages. Default false. */
  readonly includePartialMessages?: boolean | undefined;
  /** Model calls for each user message; -1 means no limit. */
  readonly maxSessionTurns?: number | undefined;
  /** The id for a new session, a UUID. Default: a random one. */
  readonly sessionId?: string | undefined;
  /** Go on with the session of this id. */
  readonly resume?: string | undefined;
  /** Go on with the latest session of `cwd`. */
  readonly continue?: boolean | undefined;
  /** With `resume` or `continue`: go on in a copy and leave the original as it is. */
  readonly forkSession?: boolean | undefined;
  /** Aborting it ends the query: the iterator throws `AbortError`. */
  readonly abortController?: AbortController | undefined;
  readonly timeout?: QueryTimeouts | undefined;
  /** Gets the CLI's stderr line by line, and what the SDK itself has to report. What it throws is ignored. */
  readonly stderr?: ((line: string) => void) | undefined;
  /** Report what the SDK sends and skips: to `stderr` when given, else to the stderr of this process. Default false. */
  readonly debug?: boolean | undefined;
  /** Further flags for the CLI, each as one string with its value after `=`. Flags that an option sets are refused. */
  readonly extraArgs?: readonly string[] | undefined;
  /** Subagents. Refused by this version. */
  readonly agents?: readonly AgentConfig[] | undefined;
  /** Hook callbacks. Refused by this version. */
  readonly hooks?: Readonly<Record<string, unknown>> | undefined;
}

/** Whether this server lives in the app. */
export function isSdkMcpServerConfig(config: McpServerConfig): config is SdkMcpServerConfigWithInstance {
  return 'type' in config && config.type === 'sdk';
}
