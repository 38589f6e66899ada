import type { RequestOf } from '../server/server-client.js';

export type Attachment = NonNullable<RequestOf<'/api/chat/stream'>['attachments']>[number] & {
  /** Of the file, for people. */
  readonly label: string;
  readonly bytes: number;
};

/** Base64 adds a third, and the server accepts 10 MiB. */
const MAX_BYTES = 6 * 1024 * 1024;
const MAX_ATTACHMENTS = 20;
const IMAGES: readonly string[] = ['image/png', 'image/jpeg', 'image/gif', 'image/webp'];
/** `btoa` needs a string of bytes, which must not become too many arguments. */
const CHUNK = 0x8000;

/** Reads an image or a text file. Throws an `Error` for people. */
export async function readAttachment(file: File): Promise<Attachment> {
  const label = file.name === '' ? 'Pasted image' : file.name;
  if (file.size > MAX_BYTES) throw new Error(`${label} is larger than 6 MB. Put it in the folder instead.`);
  const content = new Uint8Array(await file.arrayBuffer());
  const named = { label, bytes: content.length };
  if (IMAGES.includes(file.type)) {
    // The check above does not narrow the type.
    return { type: 'image', mediaType: file.type as 'image/png', data: toBase64(content), ...named };
  }
  try {
    const text = new TextDecoder('utf-8', { fatal: true }).decode(content);
    if (text.includes('\0')) throw new TypeError('binary');
    return { type: 'text', name: label.replaceAll(/["<>\p{Cc}]/gu, '_').slice(-200), text, ...named };
  } catch {
    throw new Error(`${label} is neither an image (PNG, JPEG, GIF, WebP) nor text. Put it in the folder instead.`);
  }
}

export interface AttachedFiles {
  readonly list: readonly Attachment[];
  /** Why the last files could not be attached. */
  readonly problem: string | undefined;
}

/** Adds the files that could be read, or none of them if they are too many or too large. */
export function attachFiles(
  list: readonly Attachment[],
  read: readonly PromiseSettledResult<Attachment>[],
): AttachedFiles {
  const all = [...list, ...read.flatMap((each) => (each.status === 'fulfilled' ? [each.value] : []))];
  const problems = read.flatMap((each) => (each.status === 'rejected' ? [String(each.reason.message)] : []));
  const isTooMany = all.length > MAX_ATTACHMENTS;
  const isTooLarge = all.reduce((sum, { bytes }) => sum + bytes, 0) > MAX_BYTES;
  if (isTooMany) problems.push(`A message has at most ${MAX_ATTACHMENTS} attachments.`);
  if (isTooLarge) problems.push('The attachments exceed 6 MB in total.');
  return {
    list: isTooMany || isTooLarge ? list : all,
    problem: problems.length === 0 ? undefined : problems.join(' '),
  };
}

function toBase64(bytes: Uint8Array): string {
  let text = '';
  for (let at = 0; at < bytes.length; at += CHUNK) text += String.fromCharCode(...bytes.subarray(at, at + CHUNK));
  return btoa(text);
}
