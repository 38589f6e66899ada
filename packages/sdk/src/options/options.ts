import type {
  AgentConfig,
  Budget,
  ClaudeMode,
  CliMcpServerConfig,
  Effort,
  PermissionMode,
  SdkMcpServerConfig,
  Timeouts,
  ToolVocabulary,
} from '@qwen/protocol';
import type { CanUseTool } from '../callbacks/can-use-tool.js';
import type { OnConfirm } from '../callbacks/confirm.js';
import type { OnElicitation } from '../callbacks/elicitation.js';
import type { QueryHooks } from '../hooks/hook-options.js';
import type { LogLevel } from '../logger.js';
import type { OutputSchema } from '../mcp/input-schema.js';
import type { SdkMcpServerInstance } from '../mcp/mcp-transport.js';
import type { SessionStore, SessionStoreFlush } from '../stores/session-store.js';
import type { RemoteServer } from '../transport/http/find-server.js';
import type { SpawnProcess } from '../transport/process/spawned-process.js';
import type { Transport } from '../transport/transport.js';

/** The provider that the CLI authenticates with. */
export type AuthType = 'openai' | 'openai-responses' | 'anthropic' | 'qwen-oauth' | 'gemini' | 'vertex-ai';

/** The built-in system prompt, with text appended. */
export interface QuerySystemPromptPreset {
  readonly type: 'preset';
  readonly preset: 'qwen_code' | 'claude_code';
  readonly append?: string | undefined;
  /** Has no effect: a prompt never changes in a session. */
  readonly snapshot?: boolean | undefined;
}

/** A system prompt as the Claude Agent SDK writes it; `snapshot` has no effect: a prompt never changes in a session. */
export interface QuerySystemPromptCustom {
  readonly type: 'custom';
  readonly prompt: string | readonly string[];
  readonly snapshot?: boolean | undefined;
}

/** A string, or several that are joined, replaces the built-in system prompt; the preset keeps it. */
export type QuerySystemPrompt = string | readonly string[] | QuerySystemPromptPreset | QuerySystemPromptCustom;

/** An MCP server in this process; see {@link createSdkMcpServer}. */
export interface SdkMcpServerConfigWithInstance extends SdkMcpServerConfig {
  type: 'sdk';
  name: string;
  instance: SdkMcpServerInstance;
}

/** A plugin in a folder; a relative path starts at `cwd`. */
export interface PluginConfig {
  readonly type: 'local';
  readonly path: string;
}

/** An MCP server in this process, or one that the CLI starts or connects to. */
export type McpServerConfig = SdkMcpServerConfigWithInstance | (CliMcpServerConfig & ForeignServerMembers);

/** Members of an MCP server in the Claude Agent SDK. */
export interface ForeignServerMembers {
  /** Has no effect: tools are always offered. */
  readonly alwaysLoad?: boolean | undefined;
}

/** Timeouts per kind of request, in milliseconds; 0 and Infinity disable one. Default: 60,000 each. */
export type QueryTimeouts = { readonly [Name in keyof Timeouts]?: number | undefined };

/** How to find, start and connect to the CLI. */
export interface LaunchOptions {
  /** A file, or a name on the PATH. Default: the CLI installed with this package, else `qwen` on the PATH. */
  readonly pathToQwenExecutable?: string | undefined;
  /** Runtime for a CLI that is a script: `node`, `bun`, `deno` or a path. Default: the runtime of this process. */
  readonly executable?: string | undefined;
  /** Working directory of the agent. Default: that of this process. */
  readonly cwd?: string | undefined;
  /** Merged over the environment of this process; undefined removes a variable. `NODE_OPTIONS` is not inherited. */
  readonly env?: Readonly<Record<string, string | undefined>> | undefined;
  /** Replaces `child_process.spawn`, for example to run the CLI in a container. */
  readonly spawnProcess?: SpawnProcess | undefined;
  /**
   * Replaces the child process, for one query, which closes it. Options that become CLI flags have no effect: set
   * them where the other end is started.
   */
  readonly transport?: Transport | undefined;
  /**
   * Runs the CLI on a `qwen serve`. Directories and programs in other options then refer to that machine. Cannot be
   * combined with options that find or start a local CLI.
   */
  readonly server?: RemoteServer | undefined;
  readonly timeout?: QueryTimeouts | undefined;
  /** Longest line that either side reads, in bytes; a longer one is skipped as `line_too_long`. Default: 16 MiB. */
  readonly maxLineBytes?: number | undefined;
  /** Receives the CLI's stderr line by line, and problems that the SDK reports. Its exceptions are ignored. */
  readonly stderr?: ((line: string) => void) | undefined;
  /** Reports what the SDK sends and skips, to `stderr` or else to the stderr of this process. Default: false. */
  readonly debug?: boolean | undefined;
  /** The least important reports of the SDK to write, as lines with time and level; takes precedence over `debug`. */
  readonly logLevel?: LogLevel | undefined;
}

/** Options of the Claude Agent SDK under its names. One that has no counterpart throws `invalid_options`. */
export interface ForeignOptions {
  /** Alias of `maxSessionTurns`. */
  readonly maxTurns?: number | undefined;
  /** Alias of `excludeTools`. */
  readonly disallowedTools?: readonly string[] | undefined;
  /** Alias of `coreTools`; the preset means all tools. */
  readonly tools?: readonly string[] | { readonly type: 'preset'; readonly preset: 'claude_code' } | undefined;
  /** Alias of `outputSchema`. */
  readonly outputFormat?: { readonly type: 'json_schema'; readonly schema: Record<string, unknown> } | undefined;
  /** Alias of `pathToQwenExecutable`. */
  readonly pathToClaudeCodeExecutable?: string | undefined;
  /** Alias of `spawnProcess`. */
  readonly spawnClaudeCodeProcess?: SpawnProcess | undefined;
  /** Has no effect: `permissionMode` alone decides. */
  readonly allowDangerouslySkipPermissions?: boolean | undefined;
  /** Becomes an `effort`, unless that is set. Cannot be disabled. */
  readonly thinking?:
    | { readonly type: 'adaptive'; readonly display?: 'summarized' | 'omitted' | undefined }
    | { readonly type: 'enabled'; readonly budgetTokens?: number | undefined }
    | undefined;
  /** Becomes an `effort`, unless that is set. */
  readonly maxThinkingTokens?: number | undefined;
  /** Ignores MCP servers of settings files. */
  readonly strictMcpConfig?: boolean | undefined;
  /** `none`: `canUseTool` is never called, and what would ask is denied. Default: `host`. */
  readonly permissionPrompts?: 'host' | 'none' | undefined;
  /** Has no effect: messages of subagents are always forwarded. */
  readonly forwardSubagentText?: boolean | undefined;
  /** Lets the model add previews in this format to the options of its questions. Default: none. */
  readonly toolConfig?:
    | { readonly askUserQuestion?: { readonly previewFormat?: 'markdown' | 'html' | undefined } | undefined }
    | undefined;
  /** Alias of `systemPrompt`, in older versions of that SDK. */
  readonly customSystemPrompt?: string | undefined;
  /** Appended to the system prompt, in older versions of that SDK. */
  readonly appendSystemPrompt?: string | undefined;
  /** Has no effect: servers never appear on a command line. */
  readonly mcpServersDelivery?: 'argv' | 'initialize' | undefined;
}

/** Members of a subagent in the Claude Agent SDK. */
export interface ForeignAgentMembers {
  /** Alias of `systemPrompt`. */
  readonly prompt?: string | undefined;
  /** Alias of `runConfig.maxTurns`. */
  readonly maxTurns?: number | undefined;
  /** No effect: the list itself decides. */
  readonly isBuiltin?: boolean | undefined;
}

/** A subagent that is named by its key in a map. */
export type NamedAgentConfig = Omit<AgentConfig, 'name'> & ForeignAgentMembers;

/** A layer of settings files. */
export type SettingSource = 'user' | 'project' | 'local';

/** The names of Claude Code mean `auto-edit`, `yolo`, and `default` without questions. */
export type PermissionModeOption = PermissionMode | ClaudeMode;

/** Options of {@link query}. An undefined member counts as missing; an unknown one throws `invalid_options`. */
export interface QueryOptions<Schema extends OutputSchema = OutputSchema> extends LaunchOptions, ForeignOptions {
  /** More workspace directories. */
  readonly includeDirectories?: readonly string[] | undefined;
  /** Alias of `includeDirectories` in claude-agent-sdk; both lists are used. */
  readonly additionalDirectories?: readonly string[] | undefined;
  /** Default: the model of the user's settings. */
  readonly model?: string | undefined;
  /** Up to three models to use, in this order, when the chosen one is overloaded, unavailable or failing. */
  readonly fallbackModel?: string | readonly string[] | undefined;
  /** Whether files are kept before tools change them, for `rewindFiles()`. Default: the user's setting, else true. */
  readonly enableFileCheckpointing?: boolean | undefined;
  /** Reasoning effort, if the model supports it. Default: the provider's. */
  readonly effort?: Effort | undefined;
  readonly authType?: AuthType | undefined;
  readonly systemPrompt?: QuerySystemPrompt | undefined;
  /** Sends every prompt as `is_literal`: slash commands and `@` references are not interpreted. Default: false. */
  readonly verbatimPrompts?: boolean | undefined;
  /** Default: that of the user's settings, or `default` if `canUseTool` is set. */
  readonly permissionMode?: PermissionModeOption | undefined;
  /**
   * What commands of the model may write, in a sandbox on Linux and macOS; `true`: `workspace-write`. If the sandbox
   * does not work, the query fails. Default: the setting, else none.
   */
  readonly sandbox?: 'read-only' | 'workspace-write' | 'off' | boolean | undefined;
  /** Answers permission requests. Default: every request is denied. */
  readonly canUseTool?: CanUseTool | undefined;
  /** Answers forms that external MCP servers show to the user. Default: they are declined. */
  readonly onElicitation?: OnElicitation | undefined;
  /** Answers confirmations of slash commands. Default: they are cancelled. */
  readonly onConfirm?: OnConfirm | undefined;
  /** Tools, or rules such as `Bash(git *)`, that run without asking. */
  readonly allowedTools?: readonly string[] | undefined;
  /** Tools or rules that never run. */
  readonly excludeTools?: readonly string[] | undefined;
  /** The built-in tools to offer to the model. Default: all; an empty list means none. */
  readonly coreTools?: readonly string[] | undefined;
  /** MCP servers to connect to, by name. Default: all. */
  readonly allowedMcpServerNames?: readonly string[] | undefined;
  /** Slash commands that are not offered and do not run, by name. */
  readonly disabledSlashCommands?: readonly string[] | undefined;
  /**
   * Whose tool names `canUseTool`, hooks and messages have: `write_file` or `Write`. A hook whose matcher names tools
   * gets the name that the matcher chose. Default: `claude` if an option has a name of the Claude Agent SDK, else
   * `qwen`.
   */
  readonly toolNames?: ToolVocabulary | undefined;
  /** Callbacks before and after tool calls, on prompts, and at the end of a turn. */
  readonly hooks?: QueryHooks | undefined;
  /** Subagents that the model may delegate to: a list, or a map by name. */
  readonly agents?:
    | readonly (AgentConfig & ForeignAgentMembers)[]
    | Readonly<Record<string, NamedAgentConfig>>
    | undefined;
  /** MCP servers by name. */
  readonly mcpServers?: Readonly<Record<string, McpServerConfig>> | undefined;
  /**
   * Whether the first turn waits for the MCP servers: `wait` until their start has ended, `background` not at all.
   * Default: at most 2 seconds; tools of slower servers join later.
   */
  readonly mcpReady?: 'wait' | 'background' | undefined;
  /** Milliseconds an MCP server may take to connect; the first turn waits no longer. */
  readonly mcpStartTimeout?: number | undefined;
  /**
   * The skills to offer, by name: those of the user and of trusted projects. An empty list means none. Default: `all`.
   */
  readonly skills?: 'all' | readonly string[] | undefined;
  /**
   * Plugins: folders in the layout of Claude Code, Gemini CLI or Qwen Code, relative to `cwd`. Naming one approves its
   * hooks and MCP servers. One that cannot be loaded ends the query with `invalid_settings`. Default: none.
   */
  readonly plugins?: readonly PluginConfig[] | undefined;
  /** Layers of settings files to read. Default: all; an empty list means none. */
  readonly settingSources?: readonly SettingSource[] | undefined;
  /** Trusts the settings of the project: they may widen permissions and start programs. Default: false. */
  readonly trustProject?: boolean | undefined;
  /** Ignores instructions, agents and settings of the project, except deny and ask rules. Default: false. */
  readonly safeMode?: boolean | undefined;
  /** URL of the proxy for calls of the model. With a password, set `HTTPS_PROXY` in `env` instead. */
  readonly proxy?: string | undefined;
  /** Also yields partial answers, as `stream_event` messages. Default: false. */
  readonly includePartialMessages?: boolean | undefined;
  /** Also yields the outcome of each hook, as `system` messages of subtype `hook_event`. Default: false. */
  readonly includeHookEvents?: boolean | undefined;
  /**
   * Schema of the final answer: an object schema of zod 3 or zod 4, or JSON Schema. A successful result has the
   * value as `structured_output`; an answer that does not match becomes a result with the code `invalid_output`.
   */
  readonly outputSchema?: Schema | undefined;
  /** Limit of model calls per user message; -1 means no limit. */
  readonly maxSessionTurns?: number | undefined;
  /** Limit of tool calls per user message, like `budget.toolCalls`; 0 permits none, -1 means no limit. */
  readonly maxToolCalls?: number | undefined;
  /** From 1 to 100. Without effect, because subagents cannot start other subagents. */
  readonly maxSubagentDepth?: number | undefined;
  /** Limits per prompt, subagents included: time, model calls, tool calls, tokens. Default: no limit. */
  readonly budget?: Readonly<Budget> | undefined;
  /** Limit of cost per prompt, in US dollars; same as `budget.usd`. Fails without the price of the model. */
  readonly maxBudgetUsd?: number | undefined;
  /** Id of the new session, a UUID. Default: random. */
  readonly sessionId?: string | undefined;
  /** Id of the session to resume. */
  readonly resume?: string | undefined;
  /** Resumes the latest session of `cwd`. */
  readonly continue?: boolean | undefined;
  /** With `resume` or `continue`: works on a copy and leaves the original unchanged. */
  readonly forkSession?: boolean | undefined;
  /** With `resume` or `continue`: drops what follows this message, given by its `uuid`. Implies `forkSession`. */
  readonly resumeSessionAt?: string | undefined;
  /**
   * Loads the session from a store, and copies what the CLI adds back to it: for hosts without a permanent disk. A
   * result is yielded once the store has its turn.
   */
  readonly sessionStore?: SessionStore | undefined;
  /** When entries are sent to the store. Default: `batched`. */
  readonly sessionStoreFlush?: SessionStoreFlush | undefined;
  /** Milliseconds that one call of the store may take; 0 and Infinity mean no limit. Default: 60,000. */
  readonly loadTimeoutMs?: number | undefined;
  /** Aborting it ends the query: the iterator throws `AbortError`. */
  readonly abortController?: AbortController | undefined;
  /**
   * More CLI flags, each one string, with the value after `=`; or a map from name to value, null for none. A flag that
   * an option sets throws.
   */
  readonly extraArgs?: readonly string[] | Readonly<Record<string, string | null>> | undefined;
}

/**
 * Whether this server runs in this process.
 *
 * @example
 * import { isSdkMcpServerConfig, type McpServerConfig } from '@qwen/sdk';
 *
 * // Servers that run in this process cannot be stored in a file.
 * function storable(servers: Record<string, McpServerConfig>): Record<string, McpServerConfig> {
 *   return Object.fromEntries(Object.entries(servers).filter(([, server]) => !isSdkMcpServerConfig(server)));
 * }
 * console.log(storable({ files: { command: 'mcp-server-files' } }));
 */
export function isSdkMcpServerConfig(config: McpServerConfig): config is SdkMcpServerConfigWithInstance {
  return 'type' in config && config.type === 'sdk';
}
