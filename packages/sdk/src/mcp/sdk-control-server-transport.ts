import { AgentError, type JsonRpcMessage } from '@qwen/protocol';
import type { McpTransport } from './mcp-transport.js';

export interface SdkControlServerTransportOptions {
  /** Sends a notification of the server to its client in the CLI. A rejection means that it was not delivered. */
  readonly notify: (message: JsonRpcMessage) => Promise<void>;
}

const METHOD_NOT_FOUND = -32601;

/**
 * MCP transport between a server in the app and its client in the CLI, over the control channel. Requests of the
 * client arrive through {@link receive}, which resolves with the answer. Notifications of the server leave through
 * `notify`; its requests are answered with "method not found", because the client offers none.
 *
 * @example
 * import { McpServer } from '@modelcontextprotocol/sdk/server/mcp.js';
 * import { SdkControlServerTransport } from '@qwen/sdk';
 *
 * const server = new McpServer({ name: 'clock', version: '1.0.0' });
 * server.registerTool('now', {}, () => ({ content: [{ type: 'text', text: new Date().toISOString() }] }));
 * const transport = new SdkControlServerTransport({ notify: async (message) => console.log(message) });
 * await server.connect(transport);
 * const request = { jsonrpc: '2.0' as const, id: 1, method: 'tools/list' };
 * console.log(await transport.receive(request, AbortSignal.timeout(5_000)));
 */
export class SdkControlServerTransport implements McpTransport {
  onclose?: (() => void) | undefined;
  onerror?: ((error: Error) => void) | undefined;
  onmessage?: ((message: JsonRpcMessage) => void) | undefined;
  readonly #notify: SdkControlServerTransportOptions['notify'];
  /** Keyed by JSON: the ids 0 and "0" differ. */
  readonly #waiting = new Map<string, PromiseWithResolvers<JsonRpcMessage>>();
  #closed = false;

  constructor(options: SdkControlServerTransportOptions) {
    this.#notify = options.notify;
  }

  start(): Promise<void> {
    return Promise.resolve();
  }

  /**
   * Passes a message of the client to the server. Resolves with the answer, or with undefined for a notification.
   * When `signal` aborts, it sends `notifications/cancelled` and rejects with `cancelled`.
   */
  async receive(message: JsonRpcMessage, signal: AbortSignal): Promise<JsonRpcMessage | undefined> {
    if (this.#closed) throw closedError();
    const { id, method } = message;
    if (id === undefined || id === null || method === undefined) {
      this.onmessage?.(message);
      return undefined;
    }
    const key = JSON.stringify(id);
    if (this.#waiting.has(key))
      throw new AgentError('duplicate_request', `The JSON-RPC id ${key} is in use by another request.`);
    const answer = Promise.withResolvers<JsonRpcMessage>();
    this.#waiting.set(key, answer);
    const onAbort = () => {
      this.onmessage?.({ jsonrpc: '2.0', method: 'notifications/cancelled', params: { requestId: id } });
      answer.reject(new AgentError('cancelled', `${method} was cancelled.`));
    };
    signal.addEventListener('abort', onAbort, { once: true });
    try {
      this.onmessage?.(message);
      return await answer.promise;
    } finally {
      signal.removeEventListener('abort', onAbort);
      this.#waiting.delete(key);
    }
  }

  async send(message: JsonRpcMessage): Promise<void> {
    if (this.#closed) throw closedError();
    const { id, method } = message;
    if (method === undefined) {
      this.#waiting.get(JSON.stringify(id))?.resolve(message);
      return;
    }
    if (id === undefined) {
      await this.#notify(message);
      return;
    }
    const error = { code: METHOD_NOT_FOUND, message: `The client does not offer ${method}.` };
    queueMicrotask(() => this.onmessage?.({ jsonrpc: '2.0', id, error }));
  }

  /** Rejects pending requests with `channel_closed` and notifies the server. Idempotent, never rejects. */
  close(): Promise<void> {
    if (this.#closed) return Promise.resolve();
    this.#closed = true;
    for (const answer of this.#waiting.values()) answer.reject(closedError());
    this.#waiting.clear();
    try {
      this.onclose?.();
    } catch (thrown) {
      // A failing server must not keep the query from closing.
      this.onerror?.(thrown instanceof Error ? thrown : new Error(String(thrown)));
    }
    return Promise.resolve();
  }
}

function closedError(): AgentError {
  return new AgentError('channel_closed', 'The query that hosts this MCP server has closed.');
}
