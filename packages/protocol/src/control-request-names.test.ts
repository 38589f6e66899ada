import { verifies } from '@qwen/testkit';
import { expect, expectTypeOf, test } from 'vitest';
import type { SDKMessage } from './agent-messages.js';
import {
  type CanUseToolRequest,
  type CLIControlInitializeRequest,
  type CLIControlInterruptRequest,
  type CLIControlMcpMessageRequest,
  type CLIControlMcpStatusRequest,
  type CLIControlPermissionRequest,
  type CLIControlSetModelRequest,
  type CLIControlSetPermissionModeRequest,
  type CLIControlSupportedCommandsRequest,
  type CLIHookCallbackRequest,
  type CLIMessage,
  type ControlErrorResponse,
  type ControlMessage,
  type ControlRequestPayload,
  ControlRequestType,
  type ControlResponse,
  type ControlSuccessResponse,
  type InitializeRequest,
  type InterruptRequest,
  type McpMessageRequest,
  type McpServerStatusRequest,
  type SDKControlRequest,
  type SDKControlResponse,
  type SetModelRequest,
  type SetPermissionModeRequest,
  type SupportedCommandsRequest,
} from './control-request-names.js';

test('the enum has the wire words', () => {
  verifies('O-04', 'M-01');
  expect(ControlRequestType).toEqual({
    INITIALIZE: 'initialize',
    INTERRUPT: 'interrupt',
    SET_MODEL: 'set_model',
    SUPPORTED_COMMANDS: 'supported_commands',
    CAN_USE_TOOL: 'can_use_tool',
    SET_PERMISSION_MODE: 'set_permission_mode',
    MCP_MESSAGE: 'mcp_message',
    MCP_SERVER_STATUS: 'mcp_server_status',
    HOOK_CALLBACK: 'hook_callback',
  });
});

test('payload types are discriminated by their subtype', () => {
  verifies('O-48', 'O-50');
  expectTypeOf<CLIControlInitializeRequest['subtype']>().toEqualTypeOf<'initialize'>();
  expectTypeOf<CLIControlInterruptRequest['subtype']>().toEqualTypeOf<'interrupt'>();
  expectTypeOf<CLIControlSetModelRequest['model']>().toEqualTypeOf<string | null | undefined>();
  expectTypeOf<CLIControlSupportedCommandsRequest['subtype']>().toEqualTypeOf<'supported_commands'>();
  expectTypeOf<CLIControlPermissionRequest['tool_name']>().toEqualTypeOf<string>();
  expectTypeOf<CLIControlSetPermissionModeRequest['subtype']>().toEqualTypeOf<'set_permission_mode'>();
  expectTypeOf<CLIControlMcpMessageRequest['server_name']>().toEqualTypeOf<string>();
  expectTypeOf<CLIControlMcpStatusRequest['subtype']>().toEqualTypeOf<'mcp_server_status'>();
  expectTypeOf<CLIHookCallbackRequest['callback_id']>().toEqualTypeOf<string>();
  expectTypeOf<ControlRequestPayload['subtype']>().toEqualTypeOf<ControlRequestType>();
  expectTypeOf<InitializeRequest>().toEqualTypeOf<CLIControlInitializeRequest>();
  expectTypeOf<CanUseToolRequest>().toEqualTypeOf<CLIControlPermissionRequest>();
  expectTypeOf<InterruptRequest>().toEqualTypeOf<CLIControlInterruptRequest>();
  expectTypeOf<SetPermissionModeRequest>().toEqualTypeOf<CLIControlSetPermissionModeRequest>();
  expectTypeOf<SetModelRequest>().toEqualTypeOf<CLIControlSetModelRequest>();
  expectTypeOf<McpMessageRequest>().toEqualTypeOf<CLIControlMcpMessageRequest>();
  expectTypeOf<McpServerStatusRequest>().toEqualTypeOf<CLIControlMcpStatusRequest>();
  expectTypeOf<SupportedCommandsRequest>().toEqualTypeOf<CLIControlSupportedCommandsRequest>();
});

test('answers and messages have their names', () => {
  verifies('O-49', 'O-50', 'P-01');
  expectTypeOf<ControlResponse>().toEqualTypeOf<{ subtype: 'success'; request_id: string; response: unknown }>();
  expectTypeOf<ControlSuccessResponse>().toEqualTypeOf<ControlResponse>();
  expectTypeOf<string>().toExtend<ControlErrorResponse['error']>();
  expectTypeOf<SDKControlRequest | SDKControlResponse>().toExtend<ControlMessage>();
  expectTypeOf<CLIMessage>().toEqualTypeOf<SDKMessage>();
  expectTypeOf<CLIMessage['type']>().toEqualTypeOf<'user' | 'assistant' | 'system' | 'result' | 'stream_event'>();
});
