import type { JsonRpcMessage } from '@qwen/protocol';

/**
 * The transport of the Model Context Protocol as its SDK knows it, told structurally: an app may bring any version of
 * that SDK, and its types are not among our dependencies.
 */
export interface McpTransport {
  start(): Promise<void>;
  send(message: JsonRpcMessage): Promise<void>;
  close(): Promise<void>;
  onclose?: (() => void) | undefined;
  onerror?: ((error: Error) => void) | undefined;
  onmessage?: ((message: JsonRpcMessage) => void) | undefined;
}
