import { AgentError, createDeferred, type Deferred, type JsonRpcMessage } from '@qwen/protocol';
import type { McpTransport } from './mcp-transport.js';

export interface SdkControlServerTransportOptions {
  /** Carries a notification of the server to its client in the CLI. What it throws counts as not delivered. */
  readonly notify: (message: JsonRpcMessage) => Promise<void>;
}

/** JSON-RPC's code for a method that the other side does not have. */
const METHOD_NOT_FOUND = -32601;

/**
 * The transport between an MCP server in the app and its client in the CLI, over the control channel (O-31, M-67).
 * A request of the client comes in with {@link receive} and its answer goes out as the result of that call. A
 * notification of the server goes out by `notify`. A request of the server is answered with "method not found": the
 * client in the CLI offers none. The query makes one for each server and closes it.
 */
export class SdkControlServerTransport implements McpTransport {
  onclose?: (() => void) | undefined;
  onerror?: ((error: Error) => void) | undefined;
  onmessage?: ((message: JsonRpcMessage) => void) | undefined;
  readonly #notify: SdkControlServerTransportOptions['notify'];
  /** Keyed by JSON, because the ids 0 and "0" differ and both are fine (HOUSE §4.9). */
  readonly #waiting = new Map<string, Deferred<JsonRpcMessage>>();
  #closed = false;

  constructor(options: SdkControlServerTransportOptions) {
    this.#notify = options.notify;
  }

  start(): Promise<void> {
    return Promise.resolve();
  }

  /**
   * Gives the server one message of its client and resolves with its answer; with undefined when none is due, as for
   * a notification. When `signal` aborts, the server is told and this rejects with `cancelled`.
   */
  async receive(message: JsonRpcMessage, signal: AbortSignal): Promise<JsonRpcMessage | undefined> {
    if (this.#closed) throw closedError();
    const { id, method } = message;
    if (id === undefined || id === null || method === undefined) {
      this.onmessage?.(message);
      return undefined;
    }
    const key = JSON.stringify(id);
    if (this.#waiting.has(key)) throw new AgentError('duplicate_request', `The JSON-RPC id ${key} is already in use.`);
    const answer = createDeferred<JsonRpcMessage>();
    this.#waiting.set(key, answer);
    const onAbort = () => {
      this.onmessage?.({ jsonrpc: '2.0', method: 'notifications/cancelled', params: { requestId: id } });
      answer.reject(new AgentError('cancelled', `${method} was withdrawn.`));
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

  /** Takes what the server says: an answer, a notification or a request. */
  async send(message: JsonRpcMessage): Promise<void> {
    if (this.#closed) throw closedError();
    const { id, method } = message;
    if (method === undefined) {
      // An answer that nobody waits for any more was withdrawn before: it is dropped.
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

  /** Rejects what waits, with `channel_closed`, and tells the server. Idempotent, never rejects. */
  close(): Promise<void> {
    if (this.#closed) return Promise.resolve();
    this.#closed = true;
    for (const answer of this.#waiting.values()) answer.reject(closedError());
    this.#waiting.clear();
    try {
      this.onclose?.();
    } catch (thrown) {
      // A server of the app that fails while it is let go must not keep the query from closing (HOUSE §4.29).
      this.onerror?.(thrown instanceof Error ? thrown : new Error(String(thrown)));
    }
    return Promise.resolve();
  }
}

function closedError(): AgentError {
  return new AgentError('channel_closed', 'The query that hosts this MCP server has closed.');
}
