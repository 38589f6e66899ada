import { AgentError, type ControlHandler, type JsonRpcMessage } from '@qwen/protocol';
import type { McpServerHost } from './mcp-server-host.js';

const REQUEST_TIMEOUT = -32001;

export interface McpMessageHandlerOptions {
  readonly callLimitMs: () => number | undefined;
}

/** For messages without an answer. */
const ACKNOWLEDGED: JsonRpcMessage = { jsonrpc: '2.0', result: {}, id: 0 };

/** Failures to reach a server go to `error`; a withdrawn call rejects. */
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

/** Sent before the CLI gives up, so that the model learns why. */
function tooSlow({ id }: JsonRpcMessage, limitMs: number | undefined): JsonRpcMessage {
  const message = `The call was cancelled: this CLI allows at most ${limitMs} ms per call.`;
  return { jsonrpc: '2.0', id: id ?? null, error: { code: REQUEST_TIMEOUT, message } };
}
