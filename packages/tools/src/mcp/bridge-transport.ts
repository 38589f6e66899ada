import type { JSONRPCMessage, Transport } from '@modelcontextprotocol/client';
import { AgentError, type JsonRpcMessage } from '@qwen/protocol';

/** Resolves with undefined for a notification. The client owns the deadline; `signal` aborts when it gives up. */
export type BridgeSend = (message: JsonRpcMessage, signal: AbortSignal) => Promise<JsonRpcMessage | undefined>;

/** Sends each message as an `mcp_message` request of the control channel. */
export class ControlBridgeTransport implements Transport {
  readonly #send: BridgeSend;
  readonly #waiting = new Map<string | number, AbortController>();
  #parse: ((message: unknown) => JSONRPCMessage) | undefined;
  #isClosed = false;

  onclose?: () => void;
  onerror?: (error: Error) => void;
  onmessage?: (message: JSONRPCMessage) => void;

  constructor(send: BridgeSend) {
    this.#send = send;
  }

  async start(): Promise<void> {
    const { parseJSONRPCMessage } = await import('@modelcontextprotocol/client');
    this.#parse = parseJSONRPCMessage;
  }

  /** Resolves with the answer, or when a notification was accepted. */
  async send(message: JSONRPCMessage): Promise<void> {
    if (this.#isClosed) throw new AgentError('channel_closed', 'The connection to the MCP server is closed.');
    const abort = new AbortController();
    const id = 'id' in message && 'method' in message ? message.id : undefined;
    if (id !== undefined) this.#waiting.set(id, abort);
    try {
      const answer = await this.#send(message, abort.signal);
      if (answer !== undefined) this.deliver(answer);
      else if (id !== undefined) throw new AgentError('mcp_failed', 'The MCP server did not answer the request.');
    } finally {
      if (id !== undefined) this.#waiting.delete(id);
      this.#withdraw(message);
    }
  }

  /** Reports and drops an invalid message. */
  deliver(message: unknown): void {
    if (this.#isClosed) return;
    try {
      const parsed = this.#parse?.(message);
      if (parsed !== undefined) this.onmessage?.(parsed);
    } catch (error) {
      this.onerror?.(AgentError.from(error, 'mcp_failed'));
    }
  }

  close(): Promise<void> {
    if (this.#isClosed) return Promise.resolve();
    this.#isClosed = true;
    for (const abort of this.#waiting.values()) abort.abort();
    this.#waiting.clear();
    this.onclose?.();
    return Promise.resolve();
  }

  /** A cancelled request gets no answer. */
  #withdraw(message: JSONRPCMessage): void {
    if (!('method' in message) || message.method !== 'notifications/cancelled') return;
    const id = message.params?.requestId;
    if (typeof id === 'string' || typeof id === 'number') this.#waiting.get(id)?.abort();
  }
}
