export interface CutText {
  readonly text: string;
  readonly isCut: boolean;
}

export interface CutOptions {
  /** Size of the result in UTF-8, without the mark. */
  readonly maxBytes: number;
  readonly keep: 'head' | 'tail' | 'both';
}

/** Shortens a text to a number of bytes and marks the gap. Never splits a character. */
export function cutText(text: string, { maxBytes, keep }: CutOptions): CutText {
  // A UTF-16 unit takes at most three bytes: most texts need no encoding.
  if (text.length * 3 <= maxBytes || Buffer.byteLength(text) <= maxBytes) return { text, isCut: false };
  const bytes = Buffer.from(text);
  const headBytes = { head: maxBytes, tail: 0, both: Math.ceil(maxBytes / 2) }[keep];
  const head = bytes.subarray(0, characterStart(bytes, headBytes));
  const tail = bytes.subarray(nextCharacterStart(bytes, bytes.length - (maxBytes - headBytes)));
  const mark = cutMark(bytes.length - head.length - tail.length);
  return { text: [head.toString(), mark, tail.toString()].filter((part) => part !== '').join('\n'), isCut: true };
}

export function cutMark(bytes: number): string {
  return `[… ${bytes} bytes omitted …]`;
}

/** Shortens a line to `maxLength` UTF-16 units and `…`. Never splits a surrogate pair. */
export function cutLine(line: string, maxLength: number): string {
  if (line.length <= maxLength) return line;
  const last = line.charCodeAt(maxLength - 1);
  const end = last >= 0xd800 && last <= 0xdbff ? maxLength - 1 : maxLength;
  return `${line.slice(0, end)}…`;
}

/** The last index up to `at` at which a UTF-8 character starts. */
export function characterStart(bytes: Uint8Array, at: number): number {
  const end = Math.min(at, bytes.length);
  // A longer run of continuation bytes is not UTF-8.
  for (let index = end; index >= 0 && index >= end - 3; index -= 1) if (!isContinuation(bytes[index])) return index;
  return end;
}

/** The first index from `at` at which a UTF-8 character starts. */
export function nextCharacterStart(bytes: Uint8Array, at: number): number {
  const start = Math.max(at, 0);
  for (let index = start; index <= start + 3; index += 1) if (!isContinuation(bytes[index])) return index;
  return start;
}

function isContinuation(byte: number | undefined): boolean {
  return byte !== undefined && (byte & 0xc0) === 0x80;
}
