/** One event as a Server-Sent Events stream brings it. */
export interface SseFrame {
  readonly type: string;
  readonly data: string;
}

/** What the reader keeps of a line or an event that does not end. */
const MAX_EVENT_CHARACTERS = 64 * 1024 * 1024;

/**
 * Cuts text into events, whatever the chunks are. `EventSource` of the browser cannot be used: it sends neither a
 * token nor a body. Comments, ids and `retry` are left out: the page counts events itself.
 */
export class SseReader {
  readonly #utf8 = new TextDecoder();
  #rest = '';
  #type = '';
  #data: string[] = [];
  #length = 0;

  /** Takes the next bytes and gives the events that they complete. Throws a RangeError for one that is too large. */
  push(chunk: Uint8Array): SseFrame[] {
    const frames: SseFrame[] = [];
    const lines = (this.#rest + this.#utf8.decode(chunk, { stream: true })).split('\n');
    this.#rest = lines.pop() ?? '';
    for (const line of lines) this.#take(line.endsWith('\r') ? line.slice(0, -1) : line, frames);
    if (this.#rest.length + this.#length > MAX_EVENT_CHARACTERS) throw new RangeError('The event is too large.');
    return frames;
  }

  #take(line: string, frames: SseFrame[]): void {
    if (line === '') return this.#finish(frames);
    const [, field, value = ''] = /^([^:]*)(?:: ?(.*))?$/su.exec(line) ?? [];
    if (field === 'event') this.#type = value;
    if (field !== 'data') return;
    this.#data.push(value);
    this.#length += value.length;
  }

  /** An event without data is none, by the rules of the format. */
  #finish(frames: SseFrame[]): void {
    if (this.#data.length > 0) frames.push({ type: this.#type || 'message', data: this.#data.join('\n') });
    this.#type = '';
    this.#data = [];
    this.#length = 0;
  }
}
