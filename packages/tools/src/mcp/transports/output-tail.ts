/** How much of it is kept, in UTF-16 units. */
const MAX_LENGTH = 4096;

/** The end of what a server wrote to stderr; the rest is read and forgotten, so that the server never waits (F108). */
export class OutputTail {
  readonly #decoder = new TextDecoder();
  #text = '';

  push(chunk: Uint8Array): void {
    // Of a large chunk only the end can matter.
    const end = chunk.subarray(Math.max(0, chunk.length - MAX_LENGTH * 4));
    this.#text = (this.#text + this.#decoder.decode(end, { stream: true })).slice(-MAX_LENGTH);
  }

  /** The last lines, without characters that would act on a terminal or break a log line. */
  get lastLines(): string {
    const lines = this.#text.trim().split(/\r?\n/).slice(-5);
    // oxlint-disable-next-line no-control-regex -- control characters are what is removed.
    return lines.map((line) => line.replace(/[\u0000-\u001f\u007f-\u009f]/g, ' ').slice(0, 400)).join(' | ');
  }
}
