import type { AgentError, ControlHandlers } from '@qwen/protocol';
import type { OnConfirm } from '../confirm.js';
import type { OnElicitation } from '../elicitation.js';
import type { HookRegistry } from '../hooks/hook-registry.js';
import type { McpServerHost } from '../mcp/mcp-server-host.js';
import { PEER_MCP_CALL_LIMIT_MS } from '../peer-cli/peer-limits.js';
import { keepPermissionWord } from '../peer-cli/peer-permissions.js';
import type { CanUseTool } from '../permissions.js';
import { createCanUseToolHandler } from './can-use-tool.js';
import { createConfirmHandlers } from './confirm.js';
import { createElicitationHandler } from './elicitation.js';
import { createHookCallbackHandler } from './hook-callback.js';
import { createMcpMessageHandler } from './mcp-message.js';

export interface AppHandlerOptions {
  readonly canUseTool: CanUseTool | undefined;
  readonly onElicitation: OnElicitation | undefined;
  readonly onConfirm: OnConfirm | undefined;
  readonly servers: McpServerHost;
  readonly hooks: HookRegistry;
  /** Hears what the callbacks of the app got wrong. Must not throw. */
  readonly onProblem: (error: AgentError) => void;
  /** Whether the CLI is the peer's, whose traps are ours to step around (FEATURES D7). */
  readonly isPeer: () => boolean;
  /** Stops the running turn. Must not throw. */
  readonly interrupt: () => void;
}

/** Serves all that the CLI may ask of the app. */
export function createAppHandlers(options: AppHandlerOptions): ControlHandlers<'agent'> {
  const { canUseTool, onElicitation, onConfirm, servers, hooks, onProblem, isPeer, interrupt } = options;
  return {
    can_use_tool: keepPermissionWord(createCanUseToolHandler(canUseTool, onProblem), { isPeer, interrupt }),
    mcp_message: createMcpMessageHandler(servers, {
      callLimitMs: () => (isPeer() ? PEER_MCP_CALL_LIMIT_MS : undefined),
    }),
    elicitation: createElicitationHandler(onElicitation, onProblem),
    hook_callback: createHookCallbackHandler(hooks, onProblem),
    ...createConfirmHandlers(onConfirm, onProblem),
  };
}
