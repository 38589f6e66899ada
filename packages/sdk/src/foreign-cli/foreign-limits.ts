import { AgentError, type Timeouts } from '@qwen/protocol';

/** qwen-code replaces a longer timeout by 60 s. */
const MAX_CAN_USE_TOOL_MS = 600_000;

const MCP_CALL_MS = 30_000;

/** Ends before the CLI, so that the model learns why. */
export const FOREIGN_MCP_CALL_LIMIT_MS = MCP_CALL_MS - 1_000;

export interface WantedTimeouts {
  /** 0 disables one. */
  readonly timeouts: Timeouts;
  readonly answersPermissions: boolean;
  readonly hostsMcpServers: boolean;
}

export interface FittedTimeouts {
  readonly canUseTool?: number;
  readonly shortfalls: readonly AgentError[];
}

/** Pure. */
export function fitForeignTimeouts(wanted: WantedTimeouts): FittedTimeouts {
  const { timeouts, answersPermissions, hostsMcpServers } = wanted;
  const shortfalls: AgentError[] = [];
  const clips = answersPermissions && exceeds(timeouts.canUseTool, MAX_CAN_USE_TOOL_MS);
  if (clips) shortfalls.push(shortfall('timeout.canUseTool', 'a permission answer', MAX_CAN_USE_TOOL_MS));
  if (hostsMcpServers && exceeds(timeouts.mcpRequest, MCP_CALL_MS)) {
    shortfalls.push(shortfall('timeout.mcpRequest', 'a call of an in-process tool', MCP_CALL_MS));
  }
  return { ...(clips && { canUseTool: MAX_CAN_USE_TOOL_MS }), shortfalls };
}

function exceeds(wanted: number | undefined, limit: number): boolean {
  return wanted !== undefined && (wanted === 0 || wanted > limit);
}

function shortfall(option: string, what: string, limitMs: number): AgentError {
  return new AgentError(
    'unsupported_by_cli',
    `options.${option} is too long: this CLI waits at most ${limitMs} ms for ${what}.`,
    { data: { option, limitMs } },
  );
}
