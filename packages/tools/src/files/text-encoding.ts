/** How a text is encoded in its file. */
export interface TextForm {
  readonly encoding: 'utf-8' | 'utf-16le' | 'utf-16be';
  readonly hasByteOrderMark: boolean;
}

export interface DecodedText extends TextForm {
  /** Without the byte order mark. */
  readonly text: string;
  /** Invalid bytes were replaced: do not write this text back. */
  readonly isLossy: boolean;
}

const MARKS: readonly (TextForm & { readonly mark: readonly number[] })[] = [
  { encoding: 'utf-8', hasByteOrderMark: true, mark: [0xef, 0xbb, 0xbf] },
  { encoding: 'utf-16le', hasByteOrderMark: true, mark: [0xff, 0xfe] },
  { encoding: 'utf-16be', hasByteOrderMark: true, mark: [0xfe, 0xff] },
];

/** The default for new files and for files without a byte order mark. */
export const PLAIN_UTF8: TextForm = { encoding: 'utf-8', hasByteOrderMark: false };

/** Returns undefined for binary data: a NUL byte in text that is not UTF-16. */
export function decodeText(bytes: Uint8Array): DecodedText | undefined {
  const marked = MARKS.find(({ mark }) => mark.every((byte, index) => bytes[index] === byte));
  const { encoding, hasByteOrderMark } = marked ?? PLAIN_UTF8;
  const body = bytes.subarray(marked?.mark.length ?? 0);
  if (encoding === 'utf-8' && body.includes(0)) return undefined;
  try {
    const text = new TextDecoder(encoding, { fatal: true, ignoreBOM: true }).decode(body);
    return { text, encoding, hasByteOrderMark, isLossy: false };
  } catch {
    const text = new TextDecoder(encoding, { ignoreBOM: true }).decode(body);
    return { text, encoding, hasByteOrderMark, isLossy: true };
  }
}

export function encodeText(text: string, form: TextForm): Uint8Array {
  const body = form.encoding === 'utf-8' ? Buffer.from(text) : Buffer.from(text, 'utf16le');
  if (form.encoding === 'utf-16be') body.swap16();
  const mark = MARKS.find(({ encoding }) => encoding === form.encoding)?.mark ?? [];
  return form.hasByteOrderMark ? Buffer.concat([Buffer.from(mark), body]) : body;
}

/** The line end of most lines; LF if there is none. */
export function mainLineEnd(text: string): '\n' | '\r\n' {
  let total = 0;
  let withReturn = 0;
  for (let at = text.indexOf('\n'); at !== -1; at = text.indexOf('\n', at + 1)) {
    total += 1;
    if (text.charCodeAt(at - 1) === 0x0d) withReturn += 1;
  }
  return withReturn * 2 > total ? '\r\n' : '\n';
}

export function withLineEnds(text: string, lineEnd: '\n' | '\r\n'): string {
  const plain = text.replaceAll('\r\n', '\n');
  return lineEnd === '\n' ? plain : plain.replaceAll('\n', '\r\n');
}
