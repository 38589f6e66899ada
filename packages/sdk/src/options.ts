import type {
  AgentConfig,
  Budget,
  CliMcpServerConfig,
  PermissionMode,
  SdkMcpServerConfig,
  Timeouts,
} from '@qwen/protocol';
import type { OnConfirm } from './confirm.js';
import type { OnElicitation } from './elicitation.js';
import type { QueryHooks } from './hooks/hook-options.js';
import type { OutputSchema } from './mcp/input-schema.js';
import type { SdkMcpServerInstance } from './mcp/sdk-mcp-server-instance.js';
import type { CanUseTool } from './permissions.js';
import type { ServerPlace } from './transport/server-place.js';
import type { SpawnProcess } from './transport/spawned-process.js';
import type { Transport } from './transport/transport.js';

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

/** How the CLI is found, started and heard. */
export interface LaunchOptions {
  /** The CLI: a file, or a bare name on the PATH. Default: the one installed with this package, else `qwen`. */
  readonly pathToQwenExecutable?: string | undefined;
  /** What runs a CLI that is a script: `node`, `bun`, `deno` or a path. Default: the program that runs this process. */
  readonly executable?: string | undefined;
  /** The folder that the agent works in. Default: that of this process. */
  readonly cwd?: string | undefined;
  /** Laid over the environment of this process; undefined takes a variable away. `NODE_OPTIONS` is not inherited. */
  readonly env?: Readonly<Record<string, string | undefined>> | undefined;
  /** Starts the CLI in place of `spawn`: in a container, on another machine. */
  readonly spawnProcess?: SpawnProcess | undefined;
  /**
   * Carries the lines in place of a child process; for one query, which closes it. Options that become flags of the
   * CLI are then for whoever started the other end.
   */
  readonly transport?: Transport | undefined;
  /**
   * Runs the CLI at a `qwen serve` in place of a child process. Folders and programs of the other options are then those of
   * the server; what finds and starts a local CLI is refused beside it.
   */
  readonly server?: ServerPlace | undefined;
  readonly timeout?: QueryTimeouts | undefined;
  /**
   * Longest line that either side reads, in bytes; a longer one is skipped and told as `line_too_long`. Default 16 MiB.
   */
  readonly maxLineBytes?: number | undefined;
  /** Gets the CLI's stderr line by line, and what the SDK itself has to report. What it throws is ignored. */
  readonly stderr?: ((line: string) => void) | undefined;
  /** Report what the SDK sends and skips: to `stderr` when given, else to the stderr of this process. Default false. */
  readonly debug?: boolean | undefined;
}

/** A subagent whose name is its key in a map. */
export type NamedAgentConfig = Omit<AgentConfig, 'name'>;

/** A layer of settings files. */
export type SettingSource = 'user' | 'project' | 'local';

/** What `query()` may be told. A member that is undefined counts as missing; an unknown member is refused by name. */
export interface QueryOptions<Schema extends OutputSchema = OutputSchema> extends LaunchOptions {
  /** Further folders that count as workspace. */
  readonly includeDirectories?: readonly string[] | undefined;
  /** The same under the name that users of claude-agent-sdk know; both lists count. */
  readonly additionalDirectories?: readonly string[] | undefined;
  readonly model?: string | undefined;
  /** Up to three models that answer, in this order, when the chosen one is overloaded, gone or failing. */
  readonly fallbackModel?: string | readonly string[] | undefined;
  /** How much the model shall think, such as `low` or `high`. Default: as the provider likes. */
  readonly effort?: string | undefined;
  readonly authType?: AuthType | undefined;
  readonly systemPrompt?: QuerySystemPrompt | undefined;
  /** Default: what the user's settings say, or `default` when there is a `canUseTool`. */
  readonly permissionMode?: PermissionMode | undefined;
  /** Answers permission questions. Without it, what would ask is denied. */
  readonly canUseTool?: CanUseTool | undefined;
  /** Answers what MCP servers outside of this process ask the user. Without it they are told that nobody answers. */
  readonly onElicitation?: OnElicitation | undefined;
  /** Answers what slash commands ask before they go on. Without it the answer is no. */
  readonly onConfirm?: OnConfirm | undefined;
  /** Tools, or rules such as `Bash(git *)`, that run unasked. */
  readonly allowedTools?: readonly string[] | undefined;
  /** Tools or rules that never run. */
  readonly excludeTools?: readonly string[] | undefined;
  /** The only built-in tools that the model is told of. Default: all. */
  readonly coreTools?: readonly string[] | undefined;
  /** Callbacks at fixed moments: before and after tools, prompts, the end of a turn. */
  readonly hooks?: QueryHooks | undefined;
  /** Subagents that the model may give tasks to: a list, or a map by name. */
  readonly agents?: readonly AgentConfig[] | Readonly<Record<string, NamedAgentConfig>> | undefined;
  /** MCP servers by name. */
  readonly mcpServers?: Readonly<Record<string, McpServerConfig>> | undefined;
  /** Whether the first turn waits until the MCP servers are ready. Default `wait`. */
  readonly mcpReady?: 'wait' | 'background' | undefined;
  /** Milliseconds in which an MCP server must be ready, and so the longest that a first turn waits. */
  readonly mcpStartTimeout?: number | undefined;
  /** Layers of settings files that count. Default: all; an empty list means none. */
  readonly settingSources?: readonly SettingSource[] | undefined;
  /** Let the settings of the project widen permissions and start programs, as in a trusted folder. Default false. */
  readonly trustProject?: boolean | undefined;
  /** Also yield answers piece by piece, as `stream_event` messages. Default false. */
  readonly includePartialMessages?: boolean | undefined;
  /** Also yield how each hook came out, as `system` messages of subtype `hook_event`. Default false. */
  readonly includeHookEvents?: boolean | undefined;
  /**
   * What the answer to each prompt must look like: an object schema of zod 3 or zod 4, or JSON Schema. A successful
   * result then has it as `structured_output`; an answer that does not fit is a result with the code `invalid_output`.
   */
  readonly outputSchema?: Schema | undefined;
  /** Model calls for each user message; -1 means no limit. */
  readonly maxSessionTurns?: number | undefined;
  /** What each prompt may use up, subagents included: wall clock, model calls, tool calls, tokens. Default: no limit. */
  readonly budget?: Readonly<Budget> | undefined;
  /** The id for a new session, a UUID. Default: a random one. */
  readonly sessionId?: string | undefined;
  /** Go on with the session of this id. */
  readonly resume?: string | undefined;
  /** Go on with the latest session of `cwd`. */
  readonly continue?: boolean | undefined;
  /** With `resume` or `continue`: go on in a copy and leave the original as it is. */
  readonly forkSession?: boolean | undefined;
  /** With `resume` or `continue`: leave out what came after this message, given by its `uuid`. Implies `forkSession`. */
  readonly resumeSessionAt?: string | undefined;
  /** Aborting it ends the query: the iterator throws `AbortError`. */
  readonly abortController?: AbortController | undefined;
  /** Further flags for the CLI, each as one string with its value after `=`. Flags that an option sets are refused. */
  readonly extraArgs?: readonly string[] | undefined;
}

/** Whether this server lives in the app. */
export function isSdkMcpServerConfig(config: McpServerConfig): config is SdkMcpServerConfigWithInstance {
  return 'type' in config && config.type === 'sdk';
}
