import { toOneLine } from '@qwen/protocol';

/** In UTF-16 units. */
const MAX_LENGTH = 4096;

/** Keeps the end of stderr. Reading all of it keeps the server from blocking. */
export class OutputTail {
  readonly #decoder = new TextDecoder();
  #text = '';

  push(chunk: Uint8Array): void {
    const end = chunk.subarray(Math.max(0, chunk.length - MAX_LENGTH * 4));
    this.#text = (this.#text + this.#decoder.decode(end, { stream: true })).slice(-MAX_LENGTH);
  }

  get lastLines(): string {
    const lines = this.#text.trim().split(/\r?\n/).slice(-5);
    return lines.map((line) => toOneLine(line).slice(0, 400)).join(' | ');
  }
}
