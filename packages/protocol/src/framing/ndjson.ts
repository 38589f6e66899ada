import { AgentError, messageOf } from '../errors.js';

// Lines end at LF only. Some line readers also split at U+2028 and U+2029, which JSON strings may contain.

export const DEFAULT_MAX_LINE_BYTES = 16 * 1024 * 1024;

/** A line without its line end, or the reason it was skipped. `lineNumber` is 1-based and counts blank lines. */
export type DecodedLine =
  | { ok: true; lineNumber: number; text: string }
  | { ok: false; lineNumber: number; error: AgentError };

export interface LineDecoderOptions {
  /** In bytes, without the line end. Default {@link DEFAULT_MAX_LINE_BYTES}. */
  readonly maxLineBytes?: number;
}

const LF = 10;
/** Enough to recognize a line that was skipped. */
const EXCERPT_BYTES = 200;
const BYTE_ORDER_MARK = '\uFEFF';
/** A larger buffer is released after the long line that needed it. */
const IDLE_BUFFER_BYTES = 64 * 1024;

/**
 * Cuts a stream of bytes into lines. CRLF ends a line too, a lone CR does not. Omits blank lines and a byte order mark
 * at the start; invalid UTF-8 becomes U+FFFD. A line over the limit yields one `line_too_long` immediately, and its rest
 * is skipped. Takes linear time and at most twice the limit in memory.
 */
export class LineDecoder {
  readonly #maxLineBytes: number;
  readonly #utf8 = new TextDecoder('utf-8', { ignoreBOM: true });
  /** The first `#length` bytes are the start of a line. */
  #buffer = new Uint8Array(1024);
  #length = 0;
  #skipping = false;
  #lineNumber = 0;

  constructor(options: LineDecoderOptions = {}) {
    this.#maxLineBytes = options.maxLineBytes ?? DEFAULT_MAX_LINE_BYTES;
  }

  /** Does not keep the chunk. */
  push(chunk: Uint8Array): DecodedLine[] {
    const lines: DecodedLine[] = [];
    const mayExceed = this.#skipping || this.#length + chunk.length > this.#maxLineBytes;
    if (mayExceed) this.#readLineByLine(chunk, lines);
    else this.#readAtOnce(chunk, lines);
    return lines;
  }

  end(): DecodedLine[] {
    const lines: DecodedLine[] = [];
    if (this.#length > 0) this.#addLine(this.#utf8.decode(this.#takeBuffered()), lines);
    return lines;
  }

  #readAtOnce(chunk: Uint8Array, lines: DecodedLine[]): void {
    const lastLineEnd = chunk.lastIndexOf(LF);
    if (lastLineEnd === -1) {
      this.#keep(chunk);
      return;
    }
    let complete = chunk.subarray(0, lastLineEnd);
    if (this.#length > 0) {
      this.#keep(complete);
      complete = this.#takeBuffered();
    }
    for (const text of this.#utf8.decode(complete).split('\n')) this.#addLine(text, lines);
    this.#keep(chunk.subarray(lastLineEnd + 1));
  }

  #readLineByLine(chunk: Uint8Array, lines: DecodedLine[]): void {
    let start = 0;
    while (start < chunk.length) {
      const lineEnd = chunk.indexOf(LF, start);
      this.#keepOrSkip(chunk.subarray(start, lineEnd === -1 ? chunk.length : lineEnd), lines);
      if (lineEnd === -1) return;
      if (this.#skipping) this.#skipping = false;
      else this.#addLine(this.#utf8.decode(this.#takeBuffered()), lines);
      start = lineEnd + 1;
    }
  }

  #keepOrSkip(piece: Uint8Array, lines: DecodedLine[]): void {
    if (this.#skipping) return;
    if (this.#length + piece.length <= this.#maxLineBytes) {
      this.#keep(piece);
      return;
    }
    this.#keep(piece.subarray(0, EXCERPT_BYTES));
    const excerpt = this.#utf8.decode(this.#takeBuffered().subarray(0, EXCERPT_BYTES));
    this.#skipping = true;
    this.#lineNumber += 1;
    const message = `Line ${this.#lineNumber} is longer than the limit of ${this.#maxLineBytes} bytes and was skipped.`;
    const data = { lineNumber: this.#lineNumber, maxLineBytes: this.#maxLineBytes, excerpt };
    lines.push({
      ok: false,
      lineNumber: this.#lineNumber,
      error: new AgentError('line_too_long', message, { data }),
    });
  }

  #addLine(raw: string, lines: DecodedLine[]): void {
    this.#lineNumber += 1;
    const start = this.#lineNumber === 1 && raw.startsWith(BYTE_ORDER_MARK) ? 1 : 0;
    const end = raw.endsWith('\r') ? raw.length - 1 : raw.length;
    const text = start === 0 && end === raw.length ? raw : raw.slice(start, end);
    if (!isBlank(text)) lines.push({ ok: true, lineNumber: this.#lineNumber, text });
  }

  /** Copies: the caller may reuse its chunk, and a small rest must not retain a large one. */
  #keep(piece: Uint8Array): void {
    const needed = this.#length + piece.length;
    if (needed > this.#buffer.length) {
      // Doubling keeps byte-by-byte input linear.
      const larger = new Uint8Array(Math.max(needed, this.#buffer.length * 2));
      larger.set(this.#buffer.subarray(0, this.#length));
      this.#buffer = larger;
    }
    this.#buffer.set(piece, this.#length);
    this.#length = needed;
  }

  #takeBuffered(): Uint8Array {
    const taken = this.#buffer.subarray(0, this.#length);
    this.#length = 0;
    if (this.#buffer.length > IDLE_BUFFER_BYTES) this.#buffer = new Uint8Array(1024);
    return taken;
  }
}

/** JSON white space only. */
function isBlank(text: string): boolean {
  for (let index = 0; index < text.length; index += 1) {
    const code = text.charCodeAt(index);
    if (code !== 0x20 && code !== 0x09 && code !== 0x0d) return false;
  }
  return true;
}

/**
 * DEL, C1 controls, line separators and changes of direction: other readers split lines there, and terminals obey them.
 */
const UNSAFE = /[\u007f-\u009f\u061c\u200b\u200e\u200f\u2028-\u202e\u2060-\u206f\ufeff\ufff9-\ufffb]/g;

/**
 * JSON and LF. Escapes what terminals obey or other readers split at, and lone surrogates. Throws `invalid_payload` for
 * cycles, bigints and undefined.
 */
export function encodeLine(value: unknown): string {
  return `${toJson(value)}\n`;
}

/** The same, indented for people. */
export function encodeDocument(value: unknown): string {
  return `${toJson(value, 2)}\n`;
}

function toJson(value: unknown, indent?: number): string {
  let json: string | undefined;
  try {
    json = JSON.stringify(value, undefined, indent);
  } catch (thrown) {
    const why = messageOf(thrown);
    throw new AgentError('invalid_payload', `The value cannot be written as JSON: ${why}`, { cause: thrown });
  }
  if (json === undefined) throw new AgentError('invalid_payload', `A ${typeof value} cannot be written as JSON.`);
  return json.replace(UNSAFE, (found) => `\\u${found.charCodeAt(0).toString(16).padStart(4, '0')}`);
}
