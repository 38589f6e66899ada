import { AgentError, escapeHidden } from '@qwen/protocol';
import { guessEncoding, type LegacyEncoding } from './guess-encoding.js';

export interface TextForm {
  readonly encoding: 'utf-8' | 'utf-16le' | 'utf-16be' | LegacyEncoding;
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

/** Returns undefined for binary data: with a NUL character. */
export function decodeText(bytes: Uint8Array): DecodedText | undefined {
  const marked = MARKS.find(({ mark }) => mark.every((byte, index) => bytes[index] === byte));
  const { encoding, hasByteOrderMark } = marked ?? PLAIN_UTF8;
  const body = bytes.subarray(marked?.mark.length ?? 0);
  if (encoding === 'utf-8' && body.includes(0)) return marked === undefined ? decodeUtf16(body) : undefined;
  const text = decodeExactly(body, encoding);
  // UTF-32 begins with the mark of UTF-16.
  if (encoding !== 'utf-8' && text?.includes('\0') === true) return undefined;
  if (text !== undefined) return { text, encoding, hasByteOrderMark, isLossy: false };
  const legacy = marked === undefined ? decodeLegacy(body) : undefined;
  if (legacy !== undefined) return legacy;
  return {
    text: new TextDecoder(encoding, { ignoreBOM: true }).decode(body),
    encoding,
    hasByteOrderMark,
    isLossy: true,
  };
}

function decodeExactly(bytes: Uint8Array, encoding: TextForm['encoding']): string | undefined {
  try {
    return new TextDecoder(encoding, { fatal: true, ignoreBOM: true }).decode(bytes);
  } catch {
    return undefined;
  }
}

/** Characters that texts do not contain. */
// oxlint-disable-next-line no-control-regex -- they mark binary data.
const NO_TEXT = /[\0-\x08\x0b\x0e-\x1a\x1c-\x1f\x7f-\x9f\ufffe\uffff]/;

/** Without a byte order mark: nearly all characters of one half of the bytes are NUL. */
function decodeUtf16(bytes: Uint8Array): DecodedText | undefined {
  if (bytes.length % 2 !== 0) return undefined;
  let [even, odd] = [0, 0];
  for (let at = 0; at < bytes.length; at += 2) {
    if (bytes[at] === 0) even += 1;
    if (bytes[at + 1] === 0) odd += 1;
  }
  const encoding = odd > 0 && even === 0 ? 'utf-16le' : even > 0 && odd === 0 ? 'utf-16be' : undefined;
  if (encoding === undefined || (odd + even) * 4 < bytes.length) return undefined;
  const text = decodeExactly(bytes, encoding);
  if (text === undefined || NO_TEXT.test(text)) return undefined;
  return { text, encoding, hasByteOrderMark: false, isLossy: false };
}

/** Bytes that are not UTF-8 but a text that can be written back unchanged. */
function decodeLegacy(bytes: Uint8Array): DecodedText | undefined {
  if (hasUtf8(bytes)) return undefined;
  const encoding = guessEncoding(bytes);
  const text = decodeExactly(bytes, encoding);
  if (text === undefined || NO_TEXT.test(text)) return undefined;
  const form = { encoding, hasByteOrderMark: false } as const;
  const written = encodeText(text, form);
  const isSame = written !== undefined && Buffer.compare(written, bytes) === 0;
  return isSame ? { text, ...form, isLossy: false } : undefined;
}

function hasUtf8(bytes: Uint8Array): boolean {
  const text = new TextDecoder('utf-8', { ignoreBOM: true }).decode(bytes);
  const invalid = text.match(/\ufffd/g)?.length ?? 0;
  const valid = text.match(/[^\0-\x7f\ufffd]/gu)?.length ?? 0;
  return valid > invalid;
}

/** Undefined if the encoding lacks a character. */
export function encodeText(text: string, form: TextForm): Uint8Array | undefined {
  const { encoding } = form;
  // Half of a surrogate pair would become a replacement character.
  if (/\p{Surrogate}/u.test(text)) return undefined;
  if (encoding !== 'utf-8' && encoding !== 'utf-16le' && encoding !== 'utf-16be') return encodeLegacy(text, encoding);
  const body = encoding === 'utf-8' ? Buffer.from(text) : Buffer.from(text, 'utf16le');
  if (encoding === 'utf-16be') body.swap16();
  const mark = MARKS.find((known) => known.encoding === encoding)?.mark ?? [];
  return form.hasByteOrderMark ? Buffer.concat([Buffer.from(mark), body]) : body;
}

const legacyBytes = new Map<LegacyEncoding, ReadonlyMap<string, readonly number[]>>();

function encodeLegacy(text: string, encoding: LegacyEncoding): Uint8Array | undefined {
  let table = legacyBytes.get(encoding);
  if (table === undefined) legacyBytes.set(encoding, (table = invertDecoder(encoding)));
  const bytes: number[] = [];
  for (const character of text) {
    const code = character.charCodeAt(0);
    const own = code < 0x80 ? [code] : table.get(character);
    if (own === undefined) return undefined;
    bytes.push(...own);
  }
  return Uint8Array.from(bytes);
}

/** First bytes whose characters have other bytes too, which encoders prefer. */
const DUPLICATES: Partial<Record<LegacyEncoding, readonly [from: number, to: number]>> = {
  shift_jis: [0xed, 0xee],
  big5: [0x80, 0xa0],
};

/** Node.js only decodes these. */
function invertDecoder(encoding: LegacyEncoding): ReadonlyMap<string, readonly number[]> {
  const table = new Map<string, readonly number[]>();
  const decoder = new TextDecoder(encoding, { fatal: true });
  const add = (...bytes: number[]) => {
    try {
      const character = decoder.decode(Uint8Array.from(bytes));
      if ([...character].length === 1 && !table.has(character)) table.set(character, bytes);
    } catch {}
  };
  const [from, to] = DUPLICATES[encoding] ?? [0, 0];
  const leads = Array.from({ length: 0x80 }, (_, index) => index + 0x80);
  const isDuplicate = (first: number) => first >= from && first <= to;
  for (const lead of [...leads.filter((first) => !isDuplicate(first)), ...leads.filter(isDuplicate)]) {
    add(lead);
    if (encoding.startsWith('windows')) continue;
    for (let trail = 0x40; trail <= 0xfe; trail += 1) add(lead, trail);
  }
  return table;
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

/** Throws `tool_failed` if the encoding has not all characters of the text. */
export function encodeAs(text: string, form: TextForm, path: string): Uint8Array {
  const bytes = encodeText(text, form);
  if (bytes !== undefined) return bytes;
  const missing = [...new Set(text)].find((character) => encodeText(character, form) === undefined) ?? '';
  throw new AgentError(
    'tool_failed',
    `${escapeHidden(path)} is encoded in ${form.encoding}, which has no "${escapeHidden(missing)}". Use other characters; the encoding is kept.`,
  );
}
