import type { ControlResult } from '@qwen/protocol';
import type { InitializeResult } from './handshake.js';

/** Options of one control request. */
export interface ControlRequestOptions {
  /** Aborting it withdraws the request, which rejects with `cancelled`. */
  readonly signal?: AbortSignal | undefined;
  /** Milliseconds; 0 and Infinity disable it. Default: `timeout.controlRequest` of the query. */
  readonly timeout?: number | undefined;
}

/** Whether the requested effort applies, and the setting that overrides it. */
export type EffortStatus = WithOverride<ControlResult<'set_effort'>>;
type WithOverride<Status extends { override?: unknown }> = Status & {
  readonly override: Exclude<Status['override'], undefined>;
};
/** How many tokens of the context window are used, and by what. */
export type ContextUsage = ControlResult<'get_context_usage'>;
/** Tokens used by a session, per model. */
export type UsageInfo = ControlResult<'get_usage_info'>;
/** The decision for a tool call, and the reason. */
export type PermissionExplanation = ControlResult<'explain_permission'>;
/** Provider, host and the source of the key, without secrets. */
export type AccountInfo = NonNullable<InitializeResult['account']>;
/** The names of the slash commands, as `commands`. */
export type SupportedCommands = ControlResult<'supported_commands'>;
/** Names of the MCP servers that were added and removed, and why some are not connected. */
export type McpSetServersResult = ControlResult<'mcp_set_servers'>;
/** A command in the background. Durations in milliseconds. */
export type BackgroundTask = ControlResult<'list_tasks'>['tasks'][number];
/** Whether an unfinished turn continues, and if not, why. */
export type ContinuedTurn = ControlResult<'continue_last_turn'>;
/** The files that a rewind changes or changed. `canRewind` is false, with the reason in `error`, only in a dry run. */
export type RewindFilesResult = ControlResult<'rewind_files'>;
