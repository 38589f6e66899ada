const LAST_HIGH_SURROGATE = /[\ud800-\udbff]$/;
/** Halves of characters that have no other half; pairs do not match. */
const LONE_SURROGATE = /\p{Surrogate}/gu;

/** Passes a text on in pieces, of which none ends in the middle of a character (GAP-08). */
export class WholeCharacters {
  #half = '';

  /** What can be passed on now; half a character at the end waits for the next piece. */
  take(piece: string): string {
    const text = this.#half + piece;
    this.#half = LAST_HIGH_SURROGATE.exec(text)?.[0] ?? '';
    return this.#half === '' ? text : text.slice(0, -1);
  }

  /** Half a character whose other half never came; empty most of the time. */
  end(): string {
    const half = this.#half;
    this.#half = '';
    return half;
  }
}

/** With U+FFFD for what is no character: strict readers of JSON and UTF-8 refuse a line with half of one. */
export function toWellFormed(text: string): string {
  return text.replaceAll(LONE_SURROGATE, '\ufffd');
}
