import { cutText, nextCharacterStart } from '../truncate.js';
import { incompleteEnd } from './output-buffer.js';

const KEPT_BYTES = 256 * 1024;

export interface LogPart {
  readonly text: string;
  /** The position after the text. */
  readonly next: number;
}

/** Keeps the end of a stream in fixed memory. Positions count the bytes from the start of the stream. */
export class TaskLog {
  #kept: Buffer | undefined;
  #end = 0;

  get end(): number {
    return this.#end;
  }

  push(chunk: Uint8Array): void {
    this.#kept ??= Buffer.alloc(KEPT_BYTES);
    const kept = chunk.subarray(Math.max(0, chunk.length - KEPT_BYTES));
    this.#end += chunk.length - kept.length;
    const at = this.#end % KEPT_BYTES;
    const untilEnd = Math.min(kept.length, KEPT_BYTES - at);
    this.#kept.set(kept.subarray(0, untilEnd), at);
    this.#kept.set(kept.subarray(untilEnd), 0);
    this.#end += kept.length;
  }

  /** Whole characters only, unless the stream is over. Bytes that are no longer kept are counted in a mark. */
  read(from: number, options: { readonly isOver: boolean; readonly maxBytes?: number }): LogPart {
    const first = Math.max(0, this.#end - KEPT_BYTES);
    const start = Math.min(Math.max(from, first), this.#end);
    const bytes = this.#bytes(start);
    const missing = start - from;
    const head = missing > 0 ? nextCharacterStart(bytes, 0) : 0;
    const tail = bytes.length - (options.isOver ? 0 : incompleteEnd(bytes));
    const text = bytes.toString('utf8', head, tail);
    const { maxBytes = KEPT_BYTES } = options;
    const shown = cutText(text, { maxBytes, keep: 'both' }).text;
    return {
      text: missing > 0 ? `[${missing + head} earlier bytes are not kept]\n${shown}` : shown,
      next: start + tail,
    };
  }

  lastLine(): string {
    const bytes = this.#bytes(Math.max(0, this.#end - KEPT_BYTES, this.#end - 1024));
    return bytes.toString().trimEnd().split('\n').at(-1) ?? '';
  }

  #bytes(start: number): Buffer {
    if (this.#kept === undefined) return Buffer.alloc(0);
    const from = start % KEPT_BYTES;
    const length = this.#end - start;
    const head = this.#kept.subarray(from, Math.min(from + length, KEPT_BYTES));
    return Buffer.concat([head, this.#kept.subarray(0, length - head.length)]);
  }
}
