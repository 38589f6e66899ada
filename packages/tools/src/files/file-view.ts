import type { OpenFile } from './anchored-open.js';
import { type LineWindow, type WindowOptions, windowOfFile, windowOfText } from './line-window.js';
import { decodeText } from './text-encoding.js';

const MAX_IMAGE_BYTES = 5 * 1024 * 1024;
/** Larger files are read up to the end of the window. */
const MAX_WHOLE_BYTES = 4 * 1024 * 1024;

export type FileView =
  /** `isLossy`: invalid UTF-8 is shown as U+FFFD. */
  | { readonly kind: 'text'; readonly window: LineWindow; readonly isLossy: boolean }
  | { readonly kind: 'image'; readonly mediaType: string; readonly data: Buffer }
  /** `bytes` is the size of the file. */
  | { readonly kind: 'binary'; readonly bytes: number };

/** Reads a window of lines, or a whole image. Rejects on abort. */
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
    const form = decodeText(head);
    if (form === undefined || form.encoding.startsWith('utf-16')) return binary;
    return { kind: 'text', window: await windowOfFile(handle, window, signal), isLossy: false };
  }
  const data = await handle.readFile();
  const mediaType = imageMediaType(data);
  if (mediaType !== undefined) return { kind: 'image', mediaType, data };
  const decoded = decodeText(data);
  if (decoded === undefined) return binary;
  return { kind: 'text', window: windowOfText(decoded.text, window), isLossy: decoded.isLossy };
}

const SIGNATURES: readonly { readonly mediaType: string; readonly pattern: RegExp }[] = [
  { mediaType: 'image/png', pattern: /^\x89PNG\r\n\x1a\n/ },
  { mediaType: 'image/jpeg', pattern: /^\xff\xd8\xff/ },
  { mediaType: 'image/gif', pattern: /^GIF8[79]a/ },
  { mediaType: 'image/webp', pattern: /^RIFF[\s\S]{4}WEBP/ },
];

export const SIGNATURE_BYTES = 12;

/** Detected by content, not by name. */
export function imageMediaType(head: Buffer): string | undefined {
  const text = head.toString('latin1', 0, SIGNATURE_BYTES);
  return SIGNATURES.find(({ pattern }) => pattern.test(text))?.mediaType;
}
