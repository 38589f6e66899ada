import type { OpenFile } from './anchored-open.js';
import { type LineWindow, type WindowOptions, windowOfFile, windowOfText } from './line-window.js';
import { decodeText } from './text-encoding.js';

const MAX_IMAGE_BYTES = 5 * 1024 * 1024;
/** Up to here a file is read whole; above, only as far as the window goes. */
const MAX_WHOLE_BYTES = 4 * 1024 * 1024;

/** What a model or a person sees of a file. */
export type FileView =
  /** `isLossy`: some bytes were no UTF-8 and are shown as `\ufffd`. */
  | { readonly kind: 'text'; readonly window: LineWindow; readonly isLossy: boolean }
  | { readonly kind: 'image'; readonly mediaType: string; readonly data: Buffer }
  /** Neither text nor a picture of a size that models take. `bytes`: of the whole file. */
  | { readonly kind: 'binary'; readonly bytes: number };

/** A window of lines of a text, or a picture whole. Rejects with the errors of reading, and on abort. */
export async function viewFile(
  { handle, stats }: OpenFile,
  { signal, ...window }: WindowOptions & { readonly signal: AbortSignal },
): Promise<FileView> {
  const binary = { kind: 'binary', bytes: Number(stats.size) } as const;
  if (stats.size > MAX_WHOLE_BYTES) {
    const head = Buffer.alloc(SIGNATURE_BYTES);
    await handle.read(head, 0, SIGNATURE_BYTES, 0);
    const mediaType = imageMediaType(head);
    if (mediaType !== undefined && stats.size <= MAX_IMAGE_BYTES) {
      return { kind: 'image', mediaType, data: await handle.readFile() };
    }
    if (decodeText(head)?.encoding !== 'utf-8') return binary;
    return { kind: 'text', window: await windowOfFile(handle, window, signal), isLossy: false };
  }
  const data = await handle.readFile();
  const mediaType = imageMediaType(data);
  if (mediaType !== undefined) return { kind: 'image', mediaType, data };
  const decoded = decodeText(data);
  if (decoded === undefined) return binary;
  return { kind: 'text', window: windowOfText(decoded.text, window), isLossy: decoded.isLossy };
}

/** The kinds of picture that models take, by their first bytes. */
const SIGNATURES: readonly { readonly mediaType: string; readonly pattern: RegExp }[] = [
  { mediaType: 'image/png', pattern: /^\x89PNG\r\n\x1a\n/ },
  { mediaType: 'image/jpeg', pattern: /^\xff\xd8\xff/ },
  { mediaType: 'image/gif', pattern: /^GIF8[79]a/ },
  { mediaType: 'image/webp', pattern: /^RIFF[\s\S]{4}WEBP/ },
];

/** How many bytes of a file are enough for {@link imageMediaType}. */
export const SIGNATURE_BYTES = 12;

/** The media type of a picture by its content, never by its name; undefined for everything else. */
export function imageMediaType(head: Buffer): string | undefined {
  const text = head.toString('latin1', 0, SIGNATURE_BYTES);
  return SIGNATURES.find(({ pattern }) => pattern.test(text))?.mediaType;
}
