export {
  type AgentConfig,
  AgentError,
  type Budget,
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
  type CliMcpServerConfig,
  type CliMcpServerConfig as CLIMcpServerConfig,
  type ContentBlock,
  type ContentDelta,
  type ControlCancelRequest,
  type ControlErrorResponse,
  type ControlMessage,
  type ControlRequestPayload,
  ControlRequestType,
  type ControlResponse,
  type DecodedLine,
  type Effort,
  type Effort as EffortLevel,
  type ErrorCode,
  HOOK_EVENTS,
  type HookEvent,
  type HookInput,
  type HookInputOf,
  type HookOutput,
  type HookOutput as HookJSONOutput,
  type ImageBlock,
  isControlCancel,
  isControlRequest,
  isControlResponse,
  type JsonRpcMessage,
  type McpOAuthConfig,
  PERMISSION_MODES,
  type PermissionDenial,
  type PermissionDenial as CLIPermissionDenial,
  type PermissionDenial as SDKPermissionDenial,
  type PermissionMode,
  type PermissionSuggestion,
  type PermissionUpdate,
  type SDKAssistantMessage,
  type SDKControlRequest,
  type SDKControlResponse,
  type SDKMessage,
  type SDKPartialAssistantMessage,
  type SDKResultError,
  type SDKResultInterrupted,
  type SDKResultMessage,
  type SDKResultSuccess,
  type SDKSystemMessage,
  type SDKUserMessage,
  type SessionInfo,
  type StreamEvent,
  type TextBlock,
  type ThinkingBlock,
  type Timeouts,
  TOOL_INPUT_SCHEMAS,
  TOOL_RESULT_SCHEMAS,
  type ToolInputOf,
  type ToolResultBlock,
  type ToolResultOf,
  type ToolUseBlock,
  type TypedToolName,
  toolInputOf,
  toolResultOf,
  toPermissionUpdates,
  type Usage,
} from '@qwen/protocol';
export {
  type CanUseTool,
  type CanUseTool as CanUseToolCallback,
  type CanUseToolContext,
  type PermissionDecisionClassification,
  type PermissionResult,
  type ToolInput,
} from './callbacks/can-use-tool.js';
export type { ConfirmAnswer, ConfirmQuestion, OnConfirm } from './callbacks/confirm.js';
export type { ElicitationRequest, ElicitationResult, OnElicitation } from './callbacks/elicitation.js';
export type {
  ToolConfirmationDetails,
  ToolConfirmationOutcome,
  WaitingToolCall,
} from './callbacks/tool-confirmation.js';
export {
  answerUserQuestions,
  type UserAnswers,
  type UserQuestion,
  userQuestionsOf,
} from './callbacks/user-questions.js';
export { AbortError, isAbortError } from './errors.js';
export type {
  AsyncHookJSONOutput,
  BaseHookInput,
  HookPermissionDecision,
  JsonSchemaOutputFormat,
  McpHttpServerConfig,
  McpSdkServerConfig,
  McpServerConfigForProcessTransport,
  McpSSEServerConfig,
  McpStdioServerConfig,
  ModelUsage,
  NonNullableUsage,
  NotificationHookInput,
  OutputFormat,
  OutputFormatType,
  PermissionBehavior,
  PermissionRuleValue,
  PermissionUpdateDestination,
  PostToolUseHookInput,
  PostToolUseHookSpecificOutput,
  PreCompactHookInput,
  PreToolUseHookInput,
  PreToolUseHookSpecificOutput,
  SDKCompactBoundaryMessage,
  SDKMirrorErrorMessage,
  SessionEndHookInput,
  SessionStartHookInput,
  SessionStartHookSpecificOutput,
  StopHookInput,
  SubagentStopHookInput,
  SyncHookJSONOutput,
  ThinkingAdaptive,
  ThinkingConfig,
  ThinkingEnabled,
  UserPromptSubmitHookInput,
  UserPromptSubmitHookSpecificOutput,
} from './foreign-types.js';
export type {
  HookCallback,
  HookContext,
  HookMatcher,
  HookMatcher as HookCallbackMatcher,
  QueryHooks,
} from './hooks/hook-options.js';
export { type LoggerConfig, type LogLevel, type ScopedLogger, SdkLogger } from './logger.js';
export { type CreateSdkMcpServerOptions, createSdkMcpServer } from './mcp/create-sdk-mcp-server.js';
export type { InputSchema, JsonSchema, OutputOf, OutputSchema, ToolArguments } from './mcp/input-schema.js';
export type { McpTransport, SdkMcpServerInstance } from './mcp/mcp-transport.js';
export {
  SdkControlServerTransport,
  type SdkControlServerTransportOptions,
} from './mcp/sdk-control-server-transport.js';
export {
  type AnySdkMcpTool,
  type CallToolResult,
  type SdkMcpToolDefinition,
  type ToolAnnotations,
  type ToolContent,
  type ToolExtra,
  type ToolExtras,
  type ToolHandler,
  type ToolProgress,
  tool,
} from './mcp/tool.js';
export {
  isSDKAssistantMessage,
  isSDKPartialAssistantMessage,
  isSDKResultMessage,
  isSDKSystemMessage,
  isSDKUserMessage,
} from './message-guards.js';
export {
  type AuthType,
  type ForeignAgentMembers,
  type ForeignOptions,
  type ForeignServerMembers,
  isSdkMcpServerConfig,
  type LaunchOptions,
  type McpServerConfig,
  type NamedAgentConfig,
  type NamedAgentConfig as AgentDefinition,
  type PermissionModeOption,
  type PluginConfig,
  type QueryOptions,
  type QueryOptions as Options,
  type QuerySystemPrompt,
  type QuerySystemPromptCustom,
  type QuerySystemPromptPreset,
  type QueryTimeouts,
  type SdkMcpServerConfigWithInstance,
  type SdkMcpServerConfigWithInstance as McpSdkServerConfigWithInstance,
  type SdkMcpServerConfigWithInstance as SDKMcpServerConfig,
  type SettingSource,
} from './options/options.js';
export { AskError, type AskFailure, type AskOptions, type AskResult, ask } from './query/ask.js';
export type {
  AccountInfo,
  BackgroundTask,
  ContextUsage,
  ContinuedTurn,
  ControlRequestOptions,
  EffortStatus,
  McpSetServersResult,
  PermissionExplanation,
  RewindFilesResult,
  SupportedCommands,
  UsageInfo,
} from './query/control-results.js';
export { type QueryRequest, query } from './query/create-query.js';
export type { InitializeResult } from './query/handshake.js';
export type { Prompt } from './query/input-pump.js';
export { type AvailableModels, type ModelInfo, Query, type QueryMessage } from './query/query.js';
export type { McpServerState } from './query/server-status.js';
export type { SteerOptions } from './query/turn-controls.js';
export type {
  APIAssistantMessage,
  APIUserMessage,
  CLIControlContinueLastTurnRequest,
  CLIControlGetAvailableModelsRequest,
  CLIControlGetContextUsageRequest,
  CLIControlGetUsageInfoRequest,
  CLIControlSetEffortRequest,
  ContentBlockDelta,
  ContentBlockDeltaEvent,
  ContentBlockStartEvent,
  ContentBlockStopEvent,
  EffortOverride,
  EffortTier,
  ExtendedUsage,
  MCPServerConfig,
  McpAuthProviderType,
  MessageStartStreamEvent,
  MessageStopStreamEvent,
  RunConfig,
  SDKResultMessageError,
  SDKResultMessageSuccess,
  SubagentConfig,
  SubagentLevel,
  WireSDKMcpServerConfig,
} from './qwen-code-types.js';
export type { CancelAnswer, HeartbeatAnswer, HintAnswer } from './session/answers.js';
export type { PromptOptions, TurnIds } from './session/chat-requests.js';
export type { CommandInput, CommandOptions, CommandOutcome } from './session/command-runs.js';
export type { HintOptions, HintQuestion } from './session/hint-requests.js';
export type { HostTool, HostToolContext } from './session/host-tool.js';
export { openSession } from './session/open-session.js';
export type { QwenSession } from './session/qwen-session.js';
export type { Receipt } from './session/receipt.js';
export type { HeartbeatOptions, SessionOptions } from './session/session-options.js';
export type { Turn, TurnResult } from './session/turn.js';
export {
  deleteSession,
  type ForkSessionOptions,
  forkSession,
  getSessionMessages,
  type ImportSessionToStoreOptions,
  importSessionToStore,
  type ListSessionsOptions,
  listSessions,
  type PageOptions,
  renameSession,
  type SessionMessagesPage,
  type SessionPage,
  type StoreOptions,
} from './stored-sessions.js';
export { InMemorySessionStore } from './stores/in-memory-session-store.js';
export type { SessionKey, SessionStore, SessionStoreEntry, SessionStoreFlush } from './stores/session-store.js';
export type { EventScope, QwenEvent, QwenEventIterator, QwenEventOf } from './terminal/events.js';
export { createTransport } from './transport/create-transport.js';
export { findRunningServer, type RemoteServer } from './transport/http/find-server.js';
export { HttpTransport } from './transport/http/http-transport.js';
export type { HttpTransportOptions } from './transport/http/remote-connection.js';
export { ProcessTransport, type ProcessTransportOptions } from './transport/process/process-transport.js';
export type { SpawnedProcess, SpawnProcess, SpawnRequest } from './transport/process/spawned-process.js';
export type { CloseOptions, Transport, TransportExit } from './transport/transport.js';
export { createPool, type QueryPool, type QueryPoolOptions } from './warm/query-pool.js';
export { startup, type WarmQuery } from './warm/startup.js';
