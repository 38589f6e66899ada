export {
  type AgentConfig,
  AgentError,
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
  type ErrorCode,
  type ImageBlock,
  isControlCancel,
  isControlRequest,
  isControlResponse,
  type JsonRpcMessage,
  type McpOAuthConfig,
  PERMISSION_MODES,
  type PermissionDenial,
  type PermissionDenial as CLIPermissionDenial,
  type PermissionMode,
  type PermissionSuggestion,
  type SDKAssistantMessage,
  type SDKMessage,
  type SDKPartialAssistantMessage,
  type SDKResultMessage,
  type SDKSystemMessage,
  type SDKUserMessage,
  type StreamEvent,
  type TextBlock,
  type ThinkingBlock,
  type Timeouts,
  type ToolResultBlock,
  type ToolUseBlock,
  type Usage,
} from '@qwen/protocol';
export type { ConversationParts, InitializeResult } from './conversation.js';
export { type QueryRequest, query } from './create-query.js';
export { AbortError, isAbortError } from './errors.js';
export { type CreateSdkMcpServerOptions, createSdkMcpServer } from './mcp/create-sdk-mcp-server.js';
export type { InputSchema, JsonSchema, ToolArguments } from './mcp/input-schema.js';
export type { McpTransport } from './mcp/mcp-transport.js';
export {
  SdkControlServerTransport,
  type SdkControlServerTransportOptions,
} from './mcp/sdk-control-server-transport.js';
export type { SdkMcpServerInstance } from './mcp/sdk-mcp-server-instance.js';
export {
  type AnySdkMcpTool,
  type CallToolResult,
  type SdkMcpToolDefinition,
  type ToolContent,
  type ToolExtra,
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
  type CanUseTool,
  type CanUseToolContext,
  isSdkMcpServerConfig,
  type McpServerConfig,
  type PermissionResult,
  type QueryOptions,
  type QuerySystemPrompt,
  type QuerySystemPromptPreset,
  type QueryTimeouts,
  type SdkMcpServerConfigWithInstance,
  type SdkMcpServerConfigWithInstance as McpSdkServerConfigWithInstance,
  type SdkMcpServerConfigWithInstance as SDKMcpServerConfig,
  type ToolInput,
} from './options.js';
export { type ControlRequestOptions, Query } from './query.js';
export { ProcessTransport, type ProcessTransportOptions } from './transport/process-transport.js';
export type { CloseOptions, Transport, TransportExit } from './transport/transport.js';
