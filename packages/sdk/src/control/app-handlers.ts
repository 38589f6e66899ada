import type { AgentError, ControlHandlers } from '@qwen/protocol';
import { type CanUseTool, createCanUseToolHandler } from '../callbacks/can-use-tool.js';
import { createConfirmHandlers, type OnConfirm } from '../callbacks/confirm.js';
import { createElicitationHandler, type OnElicitation } from '../callbacks/elicitation.js';
import { FOREIGN_MCP_CALL_LIMIT_MS } from '../foreign-cli/foreign-limits.js';
import { adaptPermissions } from '../foreign-cli/foreign-permissions.js';
import { createHookCallbackHandler, type HookRegistry } from '../hooks/hook-registry.js';
import { createMcpMessageHandler } from '../mcp/mcp-message-handler.js';
import type { McpServerHost } from '../mcp/mcp-server-host.js';

export interface AppHandlerOptions {
  readonly canUseTool: CanUseTool | undefined;
  /** Whether to call `canUseTool`; otherwise every request is denied. */
  readonly asksApp: () => boolean;
  readonly onElicitation: OnElicitation | undefined;
  readonly onConfirm: OnConfirm | undefined;
  readonly servers: McpServerHost;
  readonly hooks: HookRegistry;
  /** Must not throw. */
  readonly onProblem: (error: AgentError) => void;
  readonly isForeignCli: () => boolean;
  /** Must not throw. */
  readonly interrupt: () => void;
}

export function createAppHandlers(options: AppHandlerOptions): ControlHandlers<'agent'> {
  const { canUseTool, asksApp, onElicitation, onConfirm, servers, hooks, onProblem, isForeignCli, interrupt } = options;
  return {
    can_use_tool: adaptPermissions(createCanUseToolHandler(canUseTool, { asksApp, onProblem }), {
      isForeignCli,
      interrupt,
    }),
    mcp_message: createMcpMessageHandler(servers, {
      callLimitMs: () => (isForeignCli() ? FOREIGN_MCP_CALL_LIMIT_MS : undefined),
    }),
    elicitation: createElicitationHandler(onElicitation, onProblem),
    hook_callback: createHookCallbackHandler(hooks, onProblem),
    ...createConfirmHandlers(onConfirm, onProblem),
  };
}
