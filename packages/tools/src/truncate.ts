/** A text and whether something was taken out of it. */
export interface CutText {
  readonly text: string;
  readonly isCut: boolean;
}

export interface CutOptions {
  /** The longest result in UTF-8 bytes, the mark not counted. */
  readonly maxBytes: number;
  /** What stays: the beginning, the end, or both halves (`middle` is taken out). */
  readonly keep: 'head' | 'tail' | 'both';
}

/** Shortens a text to a number of bytes with a mark where something is missing. Never splits a character. */
export function cutText(text: string, { maxBytes, keep }: CutOptions): CutText {
  // One UTF-16 unit is at most three bytes, so most texts are known to fit without being encoded.
  if (text.length * 3 <= maxBytes || Buffer.byteLength(text) <= maxBytes) return { text, isCut: false };
  const bytes = Buffer.from(text);
  const headBytes = { head: maxBytes, tail: 0, both: Math.ceil(maxBytes / 2) }[keep];
  const head = bytes.subarray(0, characterStart(bytes, headBytes));
  const tail = bytes.subarray(nextCharacterStart(bytes, bytes.length - (maxBytes - headBytes)));
  const mark = cutMark(bytes.length - head.length - tail.length);
  return { text: [head.toString(), mark, tail.toString()].filter((part) => part !== '').join('\n'), isCut: true };
}

/** The line that stands where bytes were left out. */
export function cutMark(bytes: number): string {
  return `[… ${bytes} bytes left out …]`;
}

/** The first `maxLength` UTF-16 units of a line, `…` for the rest; a surrogate pair is never split. */
export function cutLine(line: string, maxLength: number): string {
  if (line.length <= maxLength) return line;
  const last = line.charCodeAt(maxLength - 1);
  const end = last >= 0xd800 && last <= 0xdbff ? maxLength - 1 : maxLength;
  return `${line.slice(0, end)}…`;
}

/** The greatest index up to `at` where a UTF-8 character begins. */
export function characterStart(bytes: Uint8Array, at: number): number {
  const end = Math.min(at, bytes.length);
  // A character has at most three continuation bytes; a longer run is not UTF-8 and may be cut anywhere.
  for (let index = end; index >= 0 && index >= end - 3; index -= 1) if (!isContinuation(bytes[index])) return index;
  return end;
}

/** The smallest index from `at` on where a UTF-8 character begins. */
export function nextCharacterStart(bytes: Uint8Array, at: number): number {
  const start = Math.max(at, 0);
  for (let index = start; index <= start + 3; index += 1) if (!isContinuation(bytes[index])) return index;
  return start;
}

function isContinuation(byte: number | undefined): boolean {
  return byte !== undefined && (byte & 0xc0) === 0x80;
}
