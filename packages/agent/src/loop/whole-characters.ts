const LAST_HIGH_SURROGATE = /[\ud800-\udbff]$/;
const LONE_SURROGATE = /\p{Surrogate}/gu;

/** Splits text only between characters. */
export class WholeCharacters {
  #half = '';

  /** Holds back half a surrogate pair. */
  take(piece: string): string {
    const text = this.#half + piece;
    this.#half = LAST_HIGH_SURROGATE.exec(text)?.[0] ?? '';
    return this.#half === '' ? text : text.slice(0, -1);
  }

  end(): string {
    const half = this.#half;
    this.#half = '';
    return half;
  }
}

/** Strict JSON and UTF-8 readers refuse lone surrogates. */
export function toWellFormed(text: string): string {
  return text.replaceAll(LONE_SURROGATE, '\ufffd');
}
