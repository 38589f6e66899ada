import { AgentError, type ControlHandler, type JsonRpcMessage } from '@qwen/protocol';
import type { McpServerHost } from '../mcp/mcp-server-host.js';

/** What a message that needs no answer gets (GAP-45). */
const ACKNOWLEDGED: JsonRpcMessage = { jsonrpc: '2.0', result: {}, id: 0 };

/**
 * Serves `mcp_message` with the servers that live in this app (M-64 … M-67). A server that is unknown or could not be
 * connected is an `error` text, as 003 has it; a withdrawn call rejects.
 */
export function createMcpMessageHandler(host: McpServerHost): ControlHandler<'mcp_message'> {
  return async ({ server_name: name, message }, { signal }) => {
    try {
      const answer = await host.receive(name, { message, signal });
      return { error: null, mcp_response: answer ?? ACKNOWLEDGED };
    } catch (thrown) {
      if (signal.aborted) throw thrown;
      return { error: AgentError.from(thrown, 'handler_failed').message, mcp_response: null };
    }
  };
}
