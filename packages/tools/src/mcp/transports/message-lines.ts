import type { JSONRPCMessage } from '@modelcontextprotocol/sdk/types.js';
import { AgentError, LineDecoder } from '@qwen/protocol';
import * as z from 'zod/mini';

/** Longest line of a server, in bytes (F107). */
const MAX_LINE_BYTES = 16 * 1024 * 1024;

const messageSchema = z.looseObject({ jsonrpc: z.literal('2.0') });

export interface MessageLinesOptions {
  readonly onMessage: (message: JSONRPCMessage) => void;
  /** Hears once of lines that are no messages, such as logs on stdout; they are skipped (F108). */
  readonly onNoise: () => void;
  /** A line was too long: whatever it answered can never be answered, so the connection must end. */
  readonly onBroken: (error: AgentError) => void;
}

/** Cuts what a server sends into messages, one a line. */
export class MessageLines {
  readonly #decoder = new LineDecoder({ maxLineBytes: MAX_LINE_BYTES });
  readonly #options: MessageLinesOptions;
  #isNoisy = false;

  constructor(options: MessageLinesOptions) {
    this.#options = options;
  }

  push(chunk: Uint8Array): void {
    for (const line of this.#decoder.push(chunk)) {
      if (line.ok) this.#take(line.text);
      else this.#options.onBroken(new AgentError('mcp_failed', `The MCP server sent too much: ${line.error.message}`));
    }
  }

  #take(text: string): void {
    const message = readMessage(text);
    if (message !== undefined) this.#options.onMessage(message);
    else if (!this.#isNoisy) {
      this.#isNoisy = true;
      this.#options.onNoise();
    }
  }
}

/** A JSON-RPC message, or undefined. What is inside of it is checked by the client, request by request. */
export function readMessage(text: string): JSONRPCMessage | undefined {
  try {
    const parsed: unknown = JSON.parse(text);
    return isMessage(parsed) ? parsed : undefined;
  } catch {
    return undefined;
  }
}

function isMessage(value: unknown): value is JSONRPCMessage {
  return messageSchema.safeParse(value).success;
}
