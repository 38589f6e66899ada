import type { McpTransport } from './mcp-transport.js';
import type { SdkMcpServerInstance } from './sdk-mcp-server-instance.js';
import type { ServedTools } from './serve-tools.js';

/**
 * A server made of `tool()` definitions. Each connection gets an `McpServer` of its own, so that two queries never
 * share one transport. The MCP library is loaded with the first connection: it costs more than the rest of the SDK.
 */
export class LocalMcpServer implements SdkMcpServerInstance {
  readonly #options: ServedTools;
  readonly #transports = new Set<McpTransport>();

  constructor(options: ServedTools) {
    this.#options = options;
  }

  /** Serves this transport until it closes. */
  async connect(transport: McpTransport): Promise<void> {
    const { serveTools } = await import('./serve-tools.js');
    await serveTools(this.#options, transport);
    this.#transports.add(transport);
    const { onclose } = transport;
    transport.onclose = () => {
      this.#transports.delete(transport);
      onclose?.();
    };
  }

  /** Closes every connection. */
  async close(): Promise<void> {
    await Promise.all([...this.#transports].map((transport) => transport.close()));
  }
}
