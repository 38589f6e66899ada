import { createParser } from 'eventsource-parser';

/** One server-sent event. */
export interface SseFrame {
  readonly type: string;
  readonly data: string;
}

const MAX_EVENT_CHARACTERS = 64 * 1024 * 1024;

/**
 * Parses the bytes of one event stream. The browser's `EventSource` can send neither a token nor a body. Ids and
 * `retry` are ignored: the page counts events itself.
 */
export class SseReader {
  readonly #utf8 = new TextDecoder();
  #frames: SseFrame[] = [];
  readonly #parser = createParser({
    maxBufferSize: MAX_EVENT_CHARACTERS,
    onEvent: ({ event = 'message', data }) => this.#frames.push({ type: event, data }),
    onError: ({ type, message }) => {
      if (type === 'max-buffer-size-exceeded') throw new RangeError(message);
    },
  });

  /** Returns the events that the next bytes complete. Throws a RangeError for one that is too large. */
  push(chunk: Uint8Array): SseFrame[] {
    this.#parser.feed(this.#utf8.decode(chunk, { stream: true }));
    return this.#frames.splice(0);
  }
}
