import { AgentError } from '@qwen/protocol';

const MAX_BYTES = 16 * 1024 * 1024;
const LF = 10;
const CR = 13;

export interface BodyEnd {
  /** Whether an event had an ID. */
  readonly isResumable: boolean;
}

export interface CappedBodyOptions {
  /** Limit each event instead of the whole body. */
  readonly perEvent: boolean;
  /** Called once, in any case. */
  readonly onEnd?: (end: BodyEnd) => void;
}

/** Fails with `mcp_failed` when the body, or one of its events, is too long. */
export function cappedBody(body: ReadableStream<Uint8Array>, options: CappedBodyOptions): ReadableStream<Uint8Array> {
  const reader = body.getReader();
  const count = new EventCounter(options.perEvent);
  let isOver = false;
  const end = () => {
    if (!isOver) options.onEnd?.({ isResumable: count.hasIds });
    isOver = true;
  };
  return new ReadableStream({
    async pull(controller) {
      try {
        const { done, value } = await reader.read();
        if (done) {
          controller.close();
          end();
          return;
        }
        count.take(value);
        controller.enqueue(value);
      } catch (thrown) {
        await reader.cancel(thrown).catch(() => undefined);
        controller.error(thrown);
        end();
      }
    },
    async cancel(reason) {
      end();
      await reader.cancel(reason);
    },
  });
}

class EventCounter {
  readonly #perEvent: boolean;
  #bytes = 0;
  #lineStart = '';
  #lineLength = 0;
  hasIds = false;

  constructor(perEvent: boolean) {
    this.#perEvent = perEvent;
  }

  take(chunk: Uint8Array): void {
    if (this.#perEvent) for (const byte of chunk) this.#takeByte(byte);
    else this.#bytes += chunk.length;
    if (this.#bytes > MAX_BYTES) {
      throw new AgentError('mcp_failed', `The MCP server sent a response of more than ${MAX_BYTES} bytes.`);
    }
  }

  #takeByte(byte: number): void {
    if (byte === LF) {
      // A blank line ends an event.
      if (this.#lineLength === 0) this.#bytes = 0;
      else this.hasIds ||= this.#lineStart === 'id:';
      this.#lineStart = '';
      this.#lineLength = 0;
    } else if (byte !== CR) {
      this.#bytes += 1;
      this.#lineLength += 1;
      if (this.#lineLength <= 3) this.#lineStart += String.fromCharCode(byte);
    }
  }
}
