import type { JSONRPCMessage } from '@modelcontextprotocol/client';
import { AgentError, LineDecoder } from '@qwen/protocol';
import * as z from 'zod/mini';

const MAX_LINE_BYTES = 16 * 1024 * 1024;

const messageSchema = z.looseObject({ jsonrpc: z.literal('2.0') });

export interface MessageLinesOptions {
  readonly onMessage: (message: JSONRPCMessage) => void;
  /** Called once, for the first other line. */
  readonly onNoise: () => void;
  /** Called for a line that is too long; the connection must end. */
  readonly onBroken: (error: AgentError) => void;
}

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
      else
        this.#options.onBroken(
          new AgentError('mcp_failed', `The MCP server sent too much data: ${line.error.message}`),
        );
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

/** The client validates the content. */
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
