// Messages of the Claude Agent SDK that `qwen` never sends, so that apps which handle them compile unchanged.

interface Line {
  uuid: string;
  session_id: string;
}

interface SystemLine<Subtype extends string> extends Line {
  type: 'system';
  subtype: Subtype;
}

interface HookLine<Subtype extends string> extends SystemLine<Subtype> {
  hook_id: string;
  hook_name: string;
  hook_event: string;
}

/** Never sent: a call is one `tool_use` block and one `tool_result` block. */
export interface SDKToolProgressMessage extends Line {
  type: 'tool_progress';
  tool_use_id: string;
  tool_name: string;
  parent_tool_use_id: string | null;
  elapsed_time_seconds: number;
  task_id?: string;
}

/** Never sent: summarize `tool_use` blocks in the app. */
export interface SDKToolUseSummaryMessage extends Line {
  type: 'tool_use_summary';
  summary: string;
  preceding_tool_use_ids: string[];
}

/** Never sent: a missing key is an error at the start. */
export interface SDKAuthStatusMessage extends Line {
  type: 'auth_status';
  isAuthenticating: boolean;
  output: string[];
  error?: string;
}

export interface SDKRateLimitInfo {
  status: 'allowed' | 'allowed_warning' | 'rejected';
  resetsAt?: number;
  rateLimitType?: string;
  utilization?: number;
}

/** Never sent: if a limit of the provider is exceeded, the result has an error. */
export interface SDKRateLimitEvent extends Line {
  type: 'rate_limit_event';
  rate_limit_info: SDKRateLimitInfo;
}

/** Never sent: the CLI suggests no prompts. */
export interface SDKPromptSuggestionMessage extends Line {
  type: 'prompt_suggestion';
  suggestion: string;
}

/** Never sent: `hook_response` reports each hook once. */
export type SDKHookStartedMessage = HookLine<'hook_started'>;

/** Never sent: `hook_response` reports each hook once. */
export interface SDKHookProgressMessage extends HookLine<'hook_progress'> {
  stdout: string;
  stderr: string;
  output: string;
}

/** Never sent: read `permission_denials` of the result, or the error result of the call. */
export interface SDKPermissionDeniedMessage extends SystemLine<'permission_denied'> {
  tool_name: string;
  tool_use_id: string;
  agent_id?: string;
  decision_reason_type?: string;
  decision_reason?: string;
  message: string;
}

/** Never sent: read `task_started` and `task_notification`. */
export interface SDKTaskUpdatedMessage extends SystemLine<'task_updated'> {
  task_id: string;
  patch: { status?: string; description?: string; end_time?: number; error?: string; is_backgrounded?: boolean };
}

/** Never sent: a turn runs from `init` to `result`. */
export interface SDKSessionStateChangedMessage extends SystemLine<'session_state_changed'> {
  state: 'idle' | 'running' | 'requires_action';
}

/** Never sent: notices are `informational`. */
export interface SDKNotificationMessage extends SystemLine<'notification'> {
  key: string;
  text: string;
  priority: 'low' | 'medium' | 'high' | 'immediate';
}

/** Never sent: the text of a command is the result. */
export interface SDKLocalCommandOutputMessage extends SystemLine<'local_command_output'> {
  content: string;
}

/** Never sent: files are written to disk when a tool returns. */
export interface SDKFilesPersistedEvent extends SystemLine<'files_persisted'> {
  files: { filename: string; file_id: string }[];
  failed: { filename: string; error: string }[];
  processed_at: string;
}

/** Never sent. */
export interface SDKElicitationCompleteMessage extends SystemLine<'elicitation_complete'> {
  mcp_server_name: string;
  elicitation_id: string;
}

/** Never sent, and rare in apps: only its kind is declared. */
type SDKRareMessage =
  | SystemLine<
      | 'background_tasks_changed'
      | 'commands_changed'
      | 'control_request_progress'
      | 'memory_recall'
      | 'model_refusal_fallback'
      | 'model_refusal_no_fallback'
      | 'plugin_install'
      | 'session_writes_lost'
      | 'thinking_tokens'
      | 'worker_shutting_down'
    >
  | (Line & { type: 'conversation_reset' });

export type SDKUnsentMessage =
  | SDKRareMessage
  | SDKToolProgressMessage
  | SDKToolUseSummaryMessage
  | SDKAuthStatusMessage
  | SDKRateLimitEvent
  | SDKPromptSuggestionMessage
  | SDKHookStartedMessage
  | SDKHookProgressMessage
  | SDKPermissionDeniedMessage
  | SDKTaskUpdatedMessage
  | SDKSessionStateChangedMessage
  | SDKNotificationMessage
  | SDKLocalCommandOutputMessage
  | SDKFilesPersistedEvent
  | SDKElicitationCompleteMessage;
