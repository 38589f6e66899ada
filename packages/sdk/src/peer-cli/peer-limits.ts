import { AgentError, type Timeouts } from '@qwen/protocol';

/** The peer's CLI ignores a longer wait for a permission answer and takes 60 s instead. */
const MAX_CAN_USE_TOOL_MS = 600_000;

/** After this the peer's CLI gives a call of an in-process tool up, whatever it was told. */
const MCP_CALL_MS = 30_000;

/** A call that we end ourselves, a little earlier, tells the model why. */
export const PEER_MCP_CALL_LIMIT_MS = MCP_CALL_MS - 1_000;

/** What an app wants of the clocks of a CLI. */
export interface WantedClocks {
  /** What was sent in `initialize`; 0 means for ever. */
  readonly timeouts: Timeouts;
  readonly answersPermissions: boolean;
  readonly hostsMcpServers: boolean;
}

/** How far the peer's CLI can meet them. */
export interface PeerClocks {
  /** The longest wait for a permission answer that it takes, where the app wants a longer one. */
  readonly canUseTool?: number;
  /** What the app should know, as `unsupported_by_cli`. */
  readonly shortfalls: readonly AgentError[];
}

/** Compares what the app wants with what the peer's CLI can, so that nothing is lost without a word. Pure. */
export function fitPeerClocks({ timeouts, answersPermissions, hostsMcpServers }: WantedClocks): PeerClocks {
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
  return new AgentError('unsupported_by_cli', `options.${option}: this CLI waits ${limitMs} ms at most for ${what}.`, {
    data: { option, limitMs },
  });
}
