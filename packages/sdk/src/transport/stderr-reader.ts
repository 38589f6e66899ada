import { StringDecoder } from 'node:string_decoder';

/** How much of stderr is kept for error messages. */
const TAIL_BYTES = 64 * 1024;

/** A line is handed out in pieces of this many characters, so that a line without end cannot fill memory. */
const MAX_LINE_LENGTH = 64 * 1024;

/**
 * Reads what a program writes to stderr: hands out lines as they come and keeps the last 64 KiB for errors (F31).
 * `onLine` may throw: that is its own affair.
 */
export class StderrReader {
  readonly #onLine: ((line: string) => void) | undefined;
  readonly #decoder = new StringDecoder('utf8');
  #tail: Buffer[] = [];
  #tailBytes = 0;
  #unfinished = '';

  constructor(onLine?: (line: string) => void) {
    this.#onLine = onLine;
  }

  push(chunk: Buffer): void {
    this.#keep(chunk);
    if (this.#onLine !== undefined) this.#handOut(this.#decoder.write(chunk));
  }

  /** The stream is over: hands out a last line without line end. */
  end(): void {
    if (this.#onLine === undefined) return;
    this.#handOut(this.#decoder.end());
    if (this.#unfinished !== '') this.#tell(this.#unfinished);
    this.#unfinished = '';
  }

  /** The last text, at most 64 KiB of it. */
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

  #handOut(text: string): void {
    const lines = (this.#unfinished + text).split('\n');
    this.#unfinished = lines.pop() ?? '';
    for (const line of lines) this.#tell(line.endsWith('\r') ? line.slice(0, -1) : line);
    if (this.#unfinished.length < MAX_LINE_LENGTH) return;
    this.#tell(this.#unfinished);
    this.#unfinished = '';
  }

  #tell(line: string): void {
    try {
      this.#onLine?.(line);
    } catch {
      // A callback of the app must not end the reading of stderr: the pipe would fill up and stop the CLI.
    }
  }
}
