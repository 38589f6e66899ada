import type { JSONRPCMessage, Transport } from '@modelcontextprotocol/client';
import { AgentError } from '@qwen/protocol';
import { readMessage } from './message-lines.js';

const SUBPROTOCOL = 'mcp';
/** In UTF-16 units. */
const MAX_MESSAGE_LENGTH = 16 * 1024 * 1024;

export interface WebSocketTransportOptions {
  readonly url: URL;
  readonly headers: Readonly<Record<string, string>>;
  readonly onNoise?: () => void;
}

export class WebSocketTransport implements Transport {
  readonly mayBeModern = true;
  readonly #options: WebSocketTransportOptions;
  #socket: WebSocket | undefined;
  #failure: AgentError | undefined;
  #isClosed = false;
  #isNoisy = false;

  onclose?: () => void;
  onerror?: (error: Error) => void;
  onmessage?: (message: JSONRPCMessage) => void;

  constructor(options: WebSocketTransportOptions) {
    this.#options = options;
  }

  get failure(): AgentError | undefined {
    return this.#failure;
  }

  /** Rejects with `mcp_failed` if the server does not accept the connection. */
  async start(): Promise<void> {
    const { url, headers } = this.#options;
    const socket = new WebSocket(url, { protocols: [SUBPROTOCOL], headers });
    this.#socket = socket;
    socket.addEventListener('message', ({ data }) => this.#take(data));
    await new Promise<void>((resolve, reject) => {
      socket.addEventListener('open', () => resolve(), { once: true });
      const refuse = () => reject(new AgentError('mcp_failed', `${url.host} did not accept the WebSocket connection.`));
      socket.addEventListener('error', refuse, { once: true });
      socket.addEventListener('close', refuse, { once: true });
    });
    socket.addEventListener('close', () => {
      this.#fail(new AgentError('mcp_failed', 'The MCP server closed the connection.'));
    });
  }

  send(message: JSONRPCMessage): Promise<void> {
    const socket = this.#socket;
    if (socket === undefined || socket.readyState !== WebSocket.OPEN) {
      const closed = new AgentError('mcp_failed', 'The connection to the MCP server is closed.');
      return Promise.reject(this.#failure ?? closed);
    }
    socket.send(JSON.stringify(message));
    return Promise.resolve();
  }

  close(): Promise<void> {
    if (!this.#isClosed) {
      this.#isClosed = true;
      this.#socket?.close();
      this.onclose?.();
    }
    return Promise.resolve();
  }

  #take(data: unknown): void {
    if (typeof data === 'string' && data.length > MAX_MESSAGE_LENGTH) {
      this.#fail(new AgentError('mcp_failed', 'The MCP server sent a message that is too long.'));
      return;
    }
    const message = typeof data === 'string' ? readMessage(data) : undefined;
    if (message !== undefined) this.onmessage?.(message);
    else if (!this.#isNoisy) {
      this.#isNoisy = true;
      this.#options.onNoise?.();
    }
  }

  #fail(error: AgentError): void {
    if (this.#isClosed) return;
    this.#failure = error;
    this.onerror?.(error);
    void this.close();
  }
}
