import { closeSync, openSync, writeSync } from 'node:fs';

/** The rest is dropped. */
const MAX_FILE_BYTES = 64 * 1024 * 1024;

/** Saves a stream to a file once it is longer than what is shown. A full disk ends the file, not the command. */
export class OutputFile {
  readonly #findPath: () => string;
  #path = '';
  readonly #threshold: number;
  #held: Buffer[] = [];
  #bytes = 0;
  #written = 0;
  #file: number | undefined;
  #hasFailed = false;

  /** The path is asked for once it is needed. */
  constructor(findPath: () => string, threshold: number) {
    this.#findPath = findPath;
    this.#threshold = threshold;
  }

  /** Whether the file was written; it ends early if `isWhole` is false. */
  get saved(): { readonly path: string; readonly isWhole: boolean } | undefined {
    return this.#written === 0 ? undefined : { path: this.#path, isWhole: this.#written === this.#bytes };
  }

  push(chunk: Buffer): void {
    this.#bytes += chunk.length;
    if (this.#hasFailed) return;
    if (this.#bytes <= this.#threshold) {
      // The caller reuses the memory of the chunk.
      this.#held.push(Buffer.from(chunk));
      return;
    }
    const pieces = [...this.#held, chunk];
    this.#held = [];
    for (const piece of pieces) this.#write(piece);
  }

  close(): void {
    if (this.#file !== undefined) closeSync(this.#file);
    this.#file = undefined;
  }

  #open(): number {
    this.#path = this.#findPath();
    return openSync(this.#path, 'wx', 0o600);
  }

  #write(chunk: Buffer): void {
    const kept = chunk.subarray(0, MAX_FILE_BYTES - this.#written);
    if (kept.length === 0) return;
    try {
      this.#file ??= this.#open();
      for (let at = 0; at < kept.length; ) at += writeSync(this.#file, kept, at);
      this.#written += kept.length;
    } catch {
      this.#hasFailed = true;
    }
  }
}
