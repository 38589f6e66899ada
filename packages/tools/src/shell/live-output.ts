import { StringDecoder } from 'node:string_decoder';

/** Shown live; after that, one line per step. */
const SHOWN_BYTES = 64 * 1024;
const STEP_BYTES = 16 * 1024 * 1024;

/** Emits the output of a running command, bounded in size. */
export class LiveOutput {
  readonly #emit: (text: string) => void;
  readonly #decoder = new StringDecoder('utf8');
  #bytes = 0;
  #nextStep = STEP_BYTES;

  constructor(emit: (text: string) => void) {
    this.#emit = emit;
  }

  push(chunk: Buffer): void {
    const left = SHOWN_BYTES - this.#bytes;
    this.#bytes += chunk.length;
    if (left > 0) {
      const text = this.#decoder.write(chunk.subarray(0, left));
      if (text !== '') this.#emit(text);
      if (chunk.length > left) this.#emit('\n[further output is not shown live]\n');
    }
    if (this.#bytes < this.#nextStep) return;
    this.#emit(`[${Math.floor(this.#bytes / 1024 / 1024)} MiB of output so far]\n`);
    this.#nextStep = this.#bytes + STEP_BYTES;
  }
}
