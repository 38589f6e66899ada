import type { Transport } from '@modelcontextprotocol/sdk/shared/transport.js';
import type { JSONRPCMessage } from '@modelcontextprotocol/sdk/types.js';
import type { JsonRpcMessage } from '@qwen/protocol';
import type { BridgeSend } from '../src/mcp/bridge-transport.js';

/**
 * The app's end of the bridge, as an SDK runs it: a real MCP server is connected to it, and each request that comes in
 * is answered by the server's own answer. What the server sends unasked goes to `onUnasked`.
 */
export class InAppServerTransport implements Transport {
  onclose?: () => void;
  onerror?: (error: Error) => void;
  onmessage?: (message: JSONRPCMessage) => void;
  onUnasked: (message: JsonRpcMessage) => void = () => {};
  /** All messages that came in, in order. */
  readonly received: JsonRpcMessage[] = [];
  readonly #waiting = new Map<unknown, (answer: JsonRpcMessage) => void>();

  #onAnswer: ((answer: JsonRpcMessage) => void) | undefined;

  /** The next answer of the client to something that the server asked. */
  nextAnswer(): Promise<JsonRpcMessage> {
    return new Promise((resolve) => {
      this.#onAnswer = resolve;
    });
  }

  start(): Promise<void> {
    return Promise.resolve();
  }

  send(message: JSONRPCMessage): Promise<void> {
    const answer = 'id' in message && !('method' in message) ? this.#waiting.get(message.id) : undefined;
    if (answer === undefined) this.onUnasked(message);
    else answer(message);
    return Promise.resolve();
  }

  close(): Promise<void> {
    this.onclose?.();
    return Promise.resolve();
  }

  /** What the control channel does with one `mcp_message`. */
  readonly bridge: BridgeSend = (message, signal) => {
    this.received.push(message);
    if (message.method === undefined) this.#onAnswer?.(message);
    return new Promise((resolve, reject) => {
      signal.addEventListener('abort', () => reject(new Error('withdrawn')), { once: true });
      if (message.id !== undefined && message.method !== undefined) this.#waiting.set(message.id, resolve);
      else resolve(undefined);
      this.onmessage?.(message as JSONRPCMessage);
    });
  };
}
