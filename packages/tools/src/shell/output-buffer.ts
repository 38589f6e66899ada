import { characterStart, cutMark, nextCharacterStart } from '../truncate.js';

/** Keeps the start and the end of a stream in fixed memory. */
export class OutputBuffer {
  readonly #head: Buffer;
  readonly #tail: Buffer;
  #headLength = 0;
  #tailAt = 0;
  #tailTotal = 0;

  constructor(maxBytes: number) {
    this.#head = Buffer.alloc(Math.ceil(maxBytes / 2));
    this.#tail = Buffer.alloc(Math.floor(maxBytes / 2));
  }

  /** Including dropped bytes. */
  get totalBytes(): number {
    return this.#headLength + this.#tailTotal;
  }

  push(chunk: Uint8Array): void {
    const forHead = Math.min(this.#head.length - this.#headLength, chunk.length);
    this.#head.set(chunk.subarray(0, forHead), this.#headLength);
    this.#headLength += forHead;
    const rest = chunk.subarray(forHead);
    this.#tailTotal += rest.length;
    const kept = rest.subarray(Math.max(0, rest.length - this.#tail.length));
    const untilEnd = Math.min(kept.length, this.#tail.length - this.#tailAt);
    this.#tail.set(kept.subarray(0, untilEnd), this.#tailAt);
    this.#tail.set(kept.subarray(untilEnd), 0);
    this.#tailAt = (this.#tailAt + kept.length) % Math.max(this.#tail.length, 1);
  }

  toText(): string {
    const head = this.#head.subarray(0, this.#headLength);
    const tail = this.#tailBytes();
    if (this.#tailTotal <= tail.length) return Buffer.concat([head, tail]).toString();
    const headEnd = characterStart(head, head.length - incompleteEnd(head));
    const tailStart = nextCharacterStart(tail, 0);
    const missing = this.totalBytes - headEnd - (tail.length - tailStart);
    return `${head.toString('utf8', 0, headEnd)}\n${cutMark(missing)}\n${tail.toString('utf8', tailStart)}`;
  }

  #tailBytes(): Buffer {
    if (this.#tailTotal < this.#tail.length) return this.#tail.subarray(0, this.#tailAt);
    return Buffer.concat([this.#tail.subarray(this.#tailAt), this.#tail.subarray(0, this.#tailAt)]);
  }
}

export function incompleteEnd(bytes: Buffer): number {
  for (let back = 1; back <= Math.min(3, bytes.length); back += 1) {
    const byte = bytes[bytes.length - back] ?? 0;
    if (byte >= 0xc0) return back < (byte >= 0xf0 ? 4 : byte >= 0xe0 ? 3 : 2) ? back : 0;
    if (byte < 0x80) return 0;
  }
  return 0;
}
