import { type ClaudeMode, interruptionError, NO_USAGE, toClaudeMode } from '@qwen/protocol';
import type * as own from '../index.js';
import type { SDKUnsentMessage } from './unsent-messages.js';

export type SDKAssistantMessage = own.SDKAssistantMessage & {
  message: { usage: own.Usage };
  parent_tool_use_id: string | null;
};
export type SDKPartialAssistantMessage = own.SDKPartialAssistantMessage & { parent_tool_use_id: string | null };
export type SDKUserMessage = own.SDKUserMessage;
type OwnSystem<Subtype extends string> = Extract<own.SDKSystemMessage, { subtype: Subtype }>;

/** Opens each turn. */
export type SDKSystemMessage = OwnSystem<'init'> & {
  permissionMode: string;
  claude_code_version: string;
  apiKeySource: string;
  output_style: string;
  skills: string[];
  plugins: { name: string; path: string }[];
};
export type SDKCompactBoundaryMessage = OwnSystem<'compact_boundary'>;
export type SDKMirrorErrorMessage = own.SDKMirrorErrorMessage;
/** A command runs in the background. */
export type SDKTaskStartedMessage = OwnSystem<'task_started'>;
export type SDKTaskProgressMessage = OwnSystem<'task_progress'>;
export type SDKTaskNotificationMessage = OwnSystem<'task_notification'>;
export type PermissionMode = 'default' | 'plan' | ClaudeMode;

/** The permission mode has changed. */
export interface SDKStatusMessage {
  type: 'system';
  subtype: 'status';
  status: 'compacting' | null;
  permissionMode?: PermissionMode;
  uuid: string;
  session_id: string;
}

/** A failed call of the model is repeated. */
export interface SDKAPIRetryMessage {
  type: 'system';
  subtype: 'api_retry';
  attempt: number;
  retry_delay_ms: number;
  error: string;
  uuid: string;
  session_id: string;
}

/** A hook has ended; with `includeHookEvents`. The outputs are empty. */
export interface SDKHookResponseMessage {
  type: 'system';
  subtype: 'hook_response';
  hook_id: string;
  hook_name: string;
  hook_event: string;
  output: string;
  stdout: string;
  stderr: string;
  exit_code?: number;
  outcome: 'success' | 'error' | 'cancelled';
  uuid: string;
  session_id: string;
}

/** A notice for people. */
export interface SDKInformationalMessage {
  type: 'system';
  subtype: 'informational';
  content: string;
  level: 'info' | 'notice' | 'suggestion' | 'warning';
  /** The code of the notice. */
  tag?: string;
  tool_use_id?: string;
  uuid: string;
  session_id: string;
}

/** `NaN` is an unknown number. */
export interface ModelUsage {
  inputTokens: number;
  outputTokens: number;
  /** Part of `outputTokens`. */
  thinkingTokens?: number;
  cacheReadInputTokens: number;
  cacheCreationInputTokens: number;
  webSearchRequests: number;
  costUSD: number;
  contextWindow: number;
  maxOutputTokens: number;
}

interface ResultMembers {
  /** `NaN` if the price of a model is unknown. */
  total_cost_usd: number;
  /** Stop reason of the last answer of the main agent. */
  stop_reason: string | null;
  modelUsage: Record<string, ModelUsage>;
}
export type SDKResultSuccess = Omit<own.SDKResultSuccess, keyof ResultMembers | 'terminal_reason'> &
  ResultMembers & { terminal_reason: string };
export type SDKResultError = Omit<own.SDKResultError, keyof ResultMembers | 'subtype' | 'errors'> &
  ResultMembers & {
    subtype:
      | 'error_during_execution'
      | 'error_max_turns'
      | 'error_max_budget_usd'
      | 'error_max_structured_output_retries';
    errors: string[];
  };
export type SDKResultMessage = SDKResultSuccess | SDKResultError;

/** Everything the stream yields. Other messages of the CLI are yielded unchanged. */
export type SDKMessage =
  | SDKAssistantMessage
  | SDKUserMessage
  | SDKPartialAssistantMessage
  | SDKSystemMessage
  | SDKCompactBoundaryMessage
  | SDKMirrorErrorMessage
  | SDKStatusMessage
  | SDKAPIRetryMessage
  | SDKTaskStartedMessage
  | SDKTaskProgressMessage
  | SDKTaskNotificationMessage
  | SDKHookResponseMessage
  | SDKInformationalMessage
  | SDKResultMessage
  | SDKUnsentMessage;

const SUBTYPES: ReadonlyMap<string, SDKResultError['subtype']> = new Map([
  ['error_max_turns', 'error_max_turns'],
  ['error_max_budget_usd', 'error_max_budget_usd'],
  ['error_output_schema', 'error_max_structured_output_retries'],
]);

const SERVER_STATES: ReadonlyMap<string, string> = new Map([
  ['connecting', 'pending'],
  ['disconnected', 'failed'],
]);

/** The state of an MCP server by the name of Claude Code. */
export function toServerState(status: string): string {
  return SERVER_STATES.get(status) ?? status;
}

/** The name of a slash command in Claude Code; the CLI knows both. */
export function toCommandName(name: string): string {
  return name === 'compress' ? 'compact' : name;
}

/**
 * Converts the messages of a query to the form of the Claude Agent SDK; their tool names are already. The CLI knows
 * no mode `dontAsk`: the app is not asked in its mode `default`.
 */
export function createClaudeMessages(isDontAsk = () => false): (message: own.SDKMessage) => SDKMessage {
  let stopReason: string | null = null;
  return (message) => {
    const parent = message.type === 'assistant' ? (message.parent_tool_use_id ?? null) : null;
    switch (message.type) {
      case 'assistant':
        if (parent === null) stopReason = message.message.stop_reason ?? null;
        return {
          ...message,
          message: { ...message.message, usage: message.message.usage ?? NO_USAGE },
          parent_tool_use_id: parent,
        };
      case 'stream_event':
        return { ...message, parent_tool_use_id: message.parent_tool_use_id ?? null };
      case 'system':
        return toSystemMessage(message, isDontAsk() ? 'dontAsk' : 'default');
      case 'result':
        return toResult(message, stopReason);
      default:
        return message;
    }
  };
}

function toMode(mode: string, defaultMode: PermissionMode): PermissionMode {
  return mode === 'plan' ? mode : (toClaudeMode(mode) ?? defaultMode);
}

function toSystemMessage(message: own.SDKSystemMessage, defaultMode: PermissionMode): SDKMessage {
  const { type, uuid, session_id } = message;
  switch (message.subtype) {
    case 'init':
      return {
        ...message,
        permissionMode: toMode(message.permission_mode, defaultMode),
        mcp_servers: message.mcp_servers.map((server) => ({ ...server, status: toServerState(server.status) })),
        slash_commands: message.slash_commands.map(toCommandName),
        claude_code_version: message.qwen_code_version,
        apiKeySource: 'none',
        output_style: 'default',
        skills: message.skills ?? [],
        plugins: message.plugins ?? [],
      };
    case 'permission_mode_changed': {
      const permissionMode = toMode(message.permission_mode, defaultMode);
      return { type, uuid, session_id, subtype: 'status', status: null, permissionMode };
    }
    case 'retry': {
      const { attempt, delay_ms: delay, code } = message.data;
      return { type, uuid, session_id, subtype: 'api_retry', attempt, retry_delay_ms: delay, error: code };
    }
    case 'hook_event': {
      const { hook_event_name: event, hook, outcome } = message.data;
      return {
        type,
        uuid,
        session_id,
        subtype: 'hook_response',
        hook_id: uuid,
        hook_name: hook,
        hook_event: event,
        output: '',
        stdout: '',
        stderr: '',
        // A hook that blocks has succeeded.
        outcome: outcome === 'error' || outcome === 'cancelled' ? outcome : 'success',
      };
    }
    case 'notice': {
      const { code, message: content } = message.data;
      return { type, uuid, session_id, subtype: 'informational', content, level: 'notice', tag: code };
    }
    default:
      return message as SDKMessage;
  }
}

function toModelUsage(usage: own.ModelUsage): ModelUsage {
  const { reasoningTokens: thinkingTokens, webSearchRequests = 0, ...tokens } = usage;
  const { costUSD = Number.NaN, contextWindow = Number.NaN } = usage;
  const limits = { contextWindow, maxOutputTokens: Number.NaN };
  return { ...tokens, ...(thinkingTokens !== undefined && { thinkingTokens }), webSearchRequests, costUSD, ...limits };
}

function toResult(message: own.SDKResultMessage, stopReason: string | null): SDKResultMessage {
  const usages = Object.entries(message.modelUsage ?? {});
  const members = {
    total_cost_usd: message.total_cost_usd ?? Number.NaN,
    stop_reason: stopReason,
    modelUsage: Object.fromEntries(usages.map(([model, usage]) => [model, toModelUsage(usage)])),
  };
  if (message.subtype === 'success') return { ...message, ...members, terminal_reason: 'completed' };
  const error = message.error ?? interruptionError(message);
  const subtype = SUBTYPES.get(message.subtype) ?? 'error_during_execution';
  return { ...message, ...members, subtype, is_error: true, error, errors: [error.message] };
}
