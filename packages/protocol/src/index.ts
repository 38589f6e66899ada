// Messages of the sdk dialect

export {
  assistantMessageSchema,
  MESSAGE_SCHEMAS,
  type PermissionDenial,
  type PromptPriority,
  partialAssistantMessageSchema,
  permissionDenialSchema,
  promptPrioritySchema,
  resultMessageSchema,
  type SDKAssistantMessage,
  type SDKMessage,
  type SDKPartialAssistantMessage,
  type SDKResultError,
  type SDKResultInterrupted,
  type SDKResultMessage,
  type SDKResultSuccess,
  type SDKUserMessage,
  type StreamEvent,
  userMessageSchema,
} from './agent-messages.js';
export { type Budget, budgetSchema } from './budget.js';
export {
  type ContentBlock,
  type ContentDelta,
  contentBlockSchema,
  contentText,
  FILES_HEADING,
  type ImageBlock,
  imageBlockSchema,
  type TextBlock,
  type ThinkingBlock,
  type ToolResultBlock,
  type ToolUseBlock,
  textBlockSchema,
  thinkingBlockSchema,
  toolResultBlockSchema,
  toolUseBlockSchema,
} from './content.js';
export { type Frame, isLostResult, readFrame } from './frame.js';
export { type PromptRecord, promptRecordSchema } from './prompt-record.js';
export { type SDKInitMessage, type SDKSystemMessage, systemMessageSchema } from './system-messages.js';
export { addUsage, NO_USAGE, type Usage, usageSchema } from './usage.js';

// The control channel

export { type Capabilities, capabilitiesSchema } from './capabilities.js';
export {
  type ControlCancelLine,
  type ControlFrame,
  type ControlLine,
  type ControlRequestLine,
  type ControlResponseLine,
  type ControlScope,
  isControlCancel,
  isControlRequest,
  isControlResponse,
  readControlFrame,
  toControlLine,
} from './control-frames.js';
export type { ControlHandler, ControlHandlerContext, ControlHandlers } from './control-handlers.js';
export {
  type CanUseToolRequest,
  type CLIAssistantMessage,
  type CLIControlInitializeRequest,
  type CLIControlInterruptRequest,
  type CLIControlMcpMessageRequest,
  type CLIControlMcpStatusRequest,
  type CLIControlPermissionRequest,
  type CLIControlRequest,
  type CLIControlResponse,
  type CLIControlSetModelRequest,
  type CLIControlSetPermissionModeRequest,
  type CLIControlSupportedCommandsRequest,
  type CLIHookCallbackRequest,
  type CLIMessage,
  type CLIPartialAssistantMessage,
  type CLIResultMessage,
  type CLISystemMessage,
  type CLIUserMessage,
  type ControlCancelRequest,
  type ControlErrorResponse,
  type ControlMessage,
  type ControlRequestOf,
  type ControlRequestPayload,
  ControlRequestType,
  type ControlResponse,
  type ControlSuccessResponse,
  type InitializeRequest,
  type InterruptRequest,
  type McpMessage,
  type McpMessageRequest,
  type McpServerStatusRequest,
  type SDKControlRequest,
  type SDKControlResponse,
  type SetModelRequest,
  type SetPermissionModeRequest,
  type SupportedCommandsRequest,
} from './control-request-names.js';
export {
  CONTROL_REQUESTS,
  type ControlPayload,
  type ControlRequestSpec,
  type ControlResult,
  type ControlSubtype,
  isControlSubtype,
  type OtherSide,
  type Side,
  type SubtypeAskedBy,
} from './control-requests.js';
export { type JsonRpcMessage, jsonRpcMessageSchema } from './json-rpc.js';
export type { ConfirmationOutcome } from './openai/confirmation-outcomes.js';
export { ControlPeer, type ControlPeerOptions, type RequestOptions } from './peer/control-peer.js';
export { type AskedSpan, type ControlTracer, followRun, type ServedRequest } from './peer/control-tracer.js';
export { createLinkedPair, type LinkedEnd } from './peer/linked-pair.js';
export { type SessionInfo, sessionInfoSchema } from './requests/stored-sessions.js';
export { readTraceContext, type TraceContext } from './trace-context.js';

// Permissions and hooks

export {
  HOOK_EVENTS,
  type HookEvent,
  type HookInput,
  type HookInputOf,
  type HookOutput,
  hookInputSchema,
  hookOutputSchema,
  unsupportedHookOutput,
} from './hook-events.js';
export { type HookRegistration, toHookRegistrations } from './hook-registration.js';
export {
  CLAUDE_MODES,
  type ClaudeMode,
  fromClaudeMode,
  isClaudeMode,
  isLooserSandbox,
  PERMISSION_MODES,
  type PermissionMode,
  permissionModeSchema,
  SANDBOX_MODES,
  SANDBOX_OPTIONS,
  type SandboxMode,
  type SandboxOption,
  type SandboxState,
  sandboxOptionSchema,
  sandboxStateSchema,
  toClaudeMode,
} from './modes.js';
export {
  type PermissionDestination,
  type PermissionSuggestion,
  permissionSuggestionSchema,
} from './permission-suggestion.js';
export {
  type PermissionUpdate,
  permissionUpdateSchema,
  readPermissionUpdates,
  toClaudeSuggestions,
  toPermissionUpdates,
} from './permission-update.js';

// Configuration: options, settings, models, subagents

export { AGENT_FILE_MEMBERS, type AgentFile, agentFileSchema } from './agent-file.js';
export { EFFORTS, type Effort, effortOfTokens, isEffort } from './effort.js';
export {
  type ListedModelSetting,
  listedModelSchema,
  type ModelOptions,
  modelOptionsSchema,
  PROVIDER_TYPES,
  type Price,
  type ProviderSetting,
  type ProviderType,
} from './model-settings.js';
export {
  type AgentConfig,
  agentConfigSchema,
  BUILTIN_AGENT_NAMES,
  type CliMcpServerConfig,
  cliMcpServerConfigSchema,
  DEFAULT_TIMEOUTS,
  GENERAL_AGENT_NAME,
  MAX_QUEUED_PROMPTS,
  type McpOAuthConfig,
  type SdkMcpServerConfig,
  sdkMcpServerConfigSchema,
  type Timeouts,
} from './options.js';
export {
  type CommandHook,
  commandHookSchema,
  type HookGroup,
  KEY_ACTIONS,
  type KeyAction,
  type KeySettings,
  type SandboxSettings,
  type Settings,
  settingsSchema,
  THEMES,
  type TrustedFolders,
  trustedFoldersSchema,
  type UiSettings,
} from './settings.js';
export { type ThemeColors, type ThemeFile, themeFileSchema } from './theme-file.js';

// Tools

export { type CanonicalInput, canonicalInput } from './tools/canonical-input.js';
export { interruptionError, withClaudeNames } from './tools/claude-names.js';
export type { PrintedToolName } from './tools/input-schemas.js';
export { parseOrRepairJson, repairJson } from './tools/repair-json.js';
export { TOOL_INPUT_SCHEMAS, type ToolInputOf, type TypedToolName, toolInputOf } from './tools/tool-input.js';
export { TOOL_RESULT_SCHEMAS, type ToolResultOf, toolResultOf } from './tools/tool-result.js';
export {
  BUILTIN_TOOL_NAMES,
  type BuiltinToolName,
  bareToolName,
  canonicalToolName,
  FILE_READING_TOOLS,
  findBuiltinTool,
  guardNames,
  TOOL_TABLE,
  TOOL_VOCABULARIES,
  type ToolEntry,
  type ToolKind,
  type ToolVocabulary,
  toolAliases,
  toolNameIn,
  toolNameKey,
} from './tools/tool-table.js';

// Stored sessions and recordings

export { RECORDING_VERSION, type RecordingEntry, recordingEntrySchema, recordingHeadSchema } from './recording.js';
export {
  type ConversationRecord,
  type FileHistoryRecord,
  type FileState,
  fileHistoryRecordSchema,
  SESSION_FILE_VERSION,
  type SessionLockOwner,
  type SessionRecord,
  sessionLockSchema,
  sessionRecordSchema,
} from './session-records.js';
export { TASK_STATUSES, type TaskStatus } from './task-status.js';

// Lines, queues and text

export { AsyncQueue, type AsyncQueueOptions } from './flow/async-queue.js';
export {
  DEFAULT_MAX_LINE_BYTES,
  type DecodedLine,
  encodeDocument,
  encodeLine,
  LineDecoder,
  type LineDecoderOptions,
} from './framing/ndjson.js';
export { type EscapeOptions, escapeHidden, hasHidden, removeHidden, toOneLine } from './text/hidden-characters.js';
export { nearestName } from './text/nearest-name.js';

// Errors, schemas and versions

export { defined } from './defined.js';
export { describeIssue, type FoundIssue, findIssues } from './describe-issue.js';
export {
  AgentError,
  type AgentErrorOptions,
  ERROR_CODES,
  type ErrorCode,
  type ErrorCodeInfo,
  type ErrorData,
  fromWireError,
  messageOf,
  systemCodeOf,
  toWireError,
  type WireError,
  wireErrorSchema,
} from './errors.js';
export { isJsonObject, type JsonObject, parseJson } from './json-object.js';
export { PROTOCOL_VERSION, QWEN_VERSION, SUPPORTED_PROTOCOL_VERSIONS } from './version.js';
