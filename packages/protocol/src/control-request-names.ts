import type {
  SDKAssistantMessage,
  SDKMessage,
  SDKPartialAssistantMessage,
  SDKResultMessage,
  SDKUserMessage,
} from './agent-messages.js';
import type { ControlCancelLine, ControlLine, ControlRequestLine, ControlResponseLine } from './control-frames.js';
import type { ControlPayload, ControlSubtype } from './control-requests.js';
import type { WireError } from './errors.js';
import type { JsonRpcMessage } from './json-rpc.js';
import type { SDKSystemMessage } from './system-messages.js';

// Names that other SDKs use for these types.

/**
 * Control request names, as other SDKs spell them.
 *
 * @example
 * import { ControlRequestType, query } from '@qwen/sdk';
 *
 * const running = query({ prompt: 'hi' });
 * await running.sendControlRequest(ControlRequestType.SET_MODEL, { model: 'qwen3-coder' });
 */
export const ControlRequestType = {
  INITIALIZE: 'initialize',
  INTERRUPT: 'interrupt',
  SET_MODEL: 'set_model',
  SUPPORTED_COMMANDS: 'supported_commands',
  CAN_USE_TOOL: 'can_use_tool',
  SET_PERMISSION_MODE: 'set_permission_mode',
  MCP_MESSAGE: 'mcp_message',
  MCP_SERVER_STATUS: 'mcp_server_status',
  HOOK_CALLBACK: 'hook_callback',
} as const satisfies Readonly<Record<string, ControlSubtype>>;
export type ControlRequestType = (typeof ControlRequestType)[keyof typeof ControlRequestType];

export type ControlRequestOf<S extends ControlSubtype> = ControlPayload<S> & { subtype: S };

export type CLIControlInitializeRequest = ControlRequestOf<'initialize'>;
export type CLIControlInterruptRequest = ControlRequestOf<'interrupt'>;
export type CLIControlSetModelRequest = ControlRequestOf<'set_model'>;
export type CLIControlSupportedCommandsRequest = ControlRequestOf<'supported_commands'>;
export type CLIControlPermissionRequest = ControlRequestOf<'can_use_tool'>;
export type CLIControlSetPermissionModeRequest = ControlRequestOf<'set_permission_mode'>;
export type CLIControlMcpMessageRequest = ControlRequestOf<'mcp_message'>;
export type CLIControlMcpStatusRequest = ControlRequestOf<'mcp_server_status'>;
export type CLIHookCallbackRequest = ControlRequestOf<'hook_callback'>;

export type ControlRequestPayload = { [S in ControlRequestType]: ControlRequestOf<S> }[ControlRequestType];

export type ControlResponse = Extract<ControlResponseLine['response'], { subtype: 'success' }>;
/** The body of a failed response. Writers send an object; readers also accept a string. */
export interface ControlErrorResponse {
  subtype: 'error';
  request_id: string;
  error: string | WireError;
}

export type ControlMessage = ControlLine;
export type CLIControlRequest = ControlRequestLine;
export type CLIControlResponse = ControlResponseLine;
export type ControlCancelRequest = ControlCancelLine;

export type CLIUserMessage = SDKUserMessage;
export type CLIAssistantMessage = SDKAssistantMessage;
export type CLISystemMessage = SDKSystemMessage;
export type CLIResultMessage = SDKResultMessage;
export type CLIPartialAssistantMessage = SDKPartialAssistantMessage;
export type CLIMessage = SDKMessage;

export type InitializeRequest = CLIControlInitializeRequest;
export type InterruptRequest = CLIControlInterruptRequest;
export type SetModelRequest = CLIControlSetModelRequest;
export type SupportedCommandsRequest = CLIControlSupportedCommandsRequest;
export type CanUseToolRequest = CLIControlPermissionRequest;
export type SetPermissionModeRequest = CLIControlSetPermissionModeRequest;
export type McpMessageRequest = CLIControlMcpMessageRequest;
export type McpServerStatusRequest = CLIControlMcpStatusRequest;
export type McpMessage = JsonRpcMessage;
export type SDKControlRequest = ControlRequestLine;
export type SDKControlResponse = ControlResponseLine;
export type ControlSuccessResponse = ControlResponse;
