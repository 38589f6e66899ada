import type { RequestOf } from '../server/server-client.js';

export type Attachment = NonNullable<RequestOf<'/api/chat/stream'>['attachments']>[number] & {
  /** Of the file, for people. */
  readonly label: string;
};

/** Base64 adds a third, and the server accepts 10 MiB. */
export const MAX_ATTACHED_BYTES = 6 * 1024 * 1024;
const IMAGES: readonly string[] = ['image/png', 'image/jpeg', 'image/gif', 'image/webp'];
/** `btoa` needs a string of bytes, which must not become too many arguments. */
const CHUNK = 0x8000;

/** Pictures and text files. Throws an `Error` for people. */
export async function readAttachment(file: File): Promise<Attachment> {
  const label = file.name === '' ? 'Pasted picture' : file.name;
  if (file.size > MAX_ATTACHED_BYTES) throw new Error(`${label} is larger than 6 MB. Put it into the folder instead.`);
  const bytes = new Uint8Array(await file.arrayBuffer());
  if (IMAGES.includes(file.type)) {
    // The check above does not narrow the type.
    return { type: 'image', mediaType: file.type as 'image/png', data: toBase64(bytes), label };
  }
  try {
    const text = new TextDecoder('utf-8', { fatal: true }).decode(bytes);
    if (text.includes('\0')) throw new TypeError('binary');
    return { type: 'text', name: label.replaceAll(/["<>\p{Cc}]/gu, '_').slice(-200), text, label };
  } catch {
    throw new Error(`${label} is neither a picture (PNG, JPEG, GIF, WebP) nor text. Put it into the folder instead.`);
  }
}

export function sizeOf(attachment: Attachment): number {
  return attachment.type === 'image' ? attachment.data.length : attachment.text.length;
}

function toBase64(bytes: Uint8Array): string {
  let text = '';
  for (let at = 0; at < bytes.length; at += CHUNK) text += String.fromCharCode(...bytes.subarray(at, at + CHUNK));
  return btoa(text);
}
