import { AgentError, type ControlHandler, type JsonRpcMessage } from '@qwen/protocol';
import type { McpServerHost } from '../mcp/mcp-server-host.js';

/** JSON-RPC's code, by the MCP libraries, for a request that took too long. */
const REQUEST_TIMEOUT = -32001;

export interface McpMessageHandlerOptions {
  /** How long the CLI waits for a call whatever we do, in milliseconds; undefined where the CLI keeps no such clock. */
  readonly callLimitMs: () => number | undefined;
}

/** What a message that needs no answer gets (GAP-45). */
const ACKNOWLEDGED: JsonRpcMessage = { jsonrpc: '2.0', result: {}, id: 0 };

/**
 * Serves `mcp_message` with the servers that live in this app (M-64 … M-67). A server that is unknown or could not be
 * connected is an `error` text, as 003 has it; a withdrawn call rejects.
 */
export function createMcpMessageHandler(
  host: McpServerHost,
  { callLimitMs }: McpMessageHandlerOptions,
): ControlHandler<'mcp_message'> {
  return async ({ server_name: name, message }, { signal }) => {
    const limitMs = callLimitMs();
    const clock = limitMs === undefined ? signal : AbortSignal.timeout(limitMs);
    try {
      const answer = await host.receive(name, { message, signal: AbortSignal.any([signal, clock]) });
      return { error: null, mcp_response: answer ?? ACKNOWLEDGED };
    } catch (thrown) {
      if (signal.aborted) throw thrown;
      if (clock.aborted) return { error: null, mcp_response: tooSlow(message, limitMs) };
      return { error: AgentError.from(thrown, 'handler_failed').message, mcp_response: null };
    }
  };
}

/** Our own answer just before the CLI gives up: the model then reads what happened. */
function tooSlow({ id }: JsonRpcMessage, limitMs: number | undefined): JsonRpcMessage {
  const message = `The call took longer than the ${limitMs} ms that this CLI allows; it was cancelled.`;
  return { jsonrpc: '2.0', id: id ?? null, error: { code: REQUEST_TIMEOUT, message } };
}
