import { StringDecoder } from 'node:string_decoder';

const TAIL_BYTES = 64 * 1024;

/** Longer lines are split. */
const MAX_LINE_LENGTH = 64 * 1024;

/** Exceptions of `onLine` are ignored. */
export class StderrReader {
  readonly #onLine: ((line: string) => void) | undefined;
  readonly #decoder = new StringDecoder('utf8');
  #tail: Buffer[] = [];
  #tailBytes = 0;
  #partialLine = '';

  constructor(onLine?: (line: string) => void) {
    this.#onLine = onLine;
  }

  push(chunk: Buffer): void {
    this.#keep(chunk);
    if (this.#onLine !== undefined) this.#split(this.#decoder.write(chunk));
  }

  end(): void {
    if (this.#onLine === undefined) return;
    this.#split(this.#decoder.end());
    if (this.#partialLine !== '') this.#emit(this.#partialLine);
    this.#partialLine = '';
  }

  get tail(): string {
    return Buffer.concat(this.#tail).subarray(-TAIL_BYTES).toString('utf8').trim();
  }

  #keep(chunk: Buffer): void {
    this.#tail.push(chunk);
    this.#tailBytes += chunk.length;
    let first = this.#tail[0];
    while (first !== undefined && this.#tailBytes - first.length >= TAIL_BYTES) {
      this.#tail.shift();
      this.#tailBytes -= first.length;
      first = this.#tail[0];
    }
  }

  #split(text: string): void {
    const lines = (this.#partialLine + text).split('\n');
    this.#partialLine = lines.pop() ?? '';
    for (const line of lines) this.#emit(line.endsWith('\r') ? line.slice(0, -1) : line);
    if (this.#partialLine.length < MAX_LINE_LENGTH) return;
    this.#emit(this.#partialLine);
    this.#partialLine = '';
  }

  #emit(line: string): void {
    try {
      this.#onLine?.(line);
    } catch {
      // Keep reading: a full pipe would stop the CLI.
    }
  }
}
