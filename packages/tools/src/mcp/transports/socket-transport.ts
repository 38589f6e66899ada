import { connect, type Socket } from 'node:net';
import type { JSONRPCMessage, Transport } from '@modelcontextprotocol/client';
import { AgentError, encodeLine } from '@qwen/protocol';
import { MessageLines } from './message-lines.js';

export interface SocketTransportOptions {
  readonly host: string;
  readonly port: number;
  readonly onNoise?: () => void;
}

export class SocketTransport implements Transport {
  readonly mayBeModern = true;
  readonly #options: SocketTransportOptions;
  #socket: Socket | undefined;
  #failure: AgentError | undefined;
  #isClosed = false;

  onclose?: () => void;
  onerror?: (error: Error) => void;
  onmessage?: (message: JSONRPCMessage) => void;

  constructor(options: SocketTransportOptions) {
    this.#options = options;
  }

  get failure(): AgentError | undefined {
    return this.#failure;
  }

  /** Rejects with `mcp_failed` if the server cannot be reached. */
  async start(): Promise<void> {
    const { host, port, onNoise } = this.#options;
    const socket = connect({ host, port });
    this.#socket = socket;
    const lines = new MessageLines({
      onMessage: (message) => this.onmessage?.(message),
      onNoise: () => onNoise?.(),
      onBroken: (error) => this.#fail(error),
    });
    socket.on('data', (chunk) => lines.push(chunk));
    await new Promise<void>((resolve, reject) => {
      socket.once('connect', resolve);
      socket.once('error', (cause) => {
        reject(new AgentError('mcp_failed', `Could not connect to ${host}:${port}: ${cause.message}`, { cause }));
      });
      socket.once('close', () => reject(new AgentError('mcp_failed', `${host}:${port} closed the connection.`)));
    });
    socket.on('error', () => undefined);
    socket.once('close', () => this.#fail(new AgentError('mcp_failed', 'The MCP server closed the connection.')));
  }

  async send(message: JSONRPCMessage): Promise<void> {
    const socket = this.#socket;
    if (socket === undefined || !socket.writable || this.#isClosed) {
      throw this.#failure ?? new AgentError('mcp_failed', 'The connection to the MCP server is closed.');
    }
    // The callback also gets the error of a failed connection.
    await new Promise<void>((resolve) => {
      socket.write(encodeLine(message), () => resolve());
    });
  }

  close(): Promise<void> {
    if (!this.#isClosed) {
      this.#isClosed = true;
      this.#socket?.destroy();
      this.onclose?.();
    }
    return Promise.resolve();
  }

  #fail(error: AgentError): void {
    if (this.#isClosed) return;
    this.#failure = error;
    this.onerror?.(error);
    void this.close();
  }
}
