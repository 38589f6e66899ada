import { constants } from 'node:fs';
import { open } from 'node:fs/promises';
import { AgentError } from '@qwen/protocol';
import { imageMediaType, SIGNATURE_BYTES } from '@qwen/tools';
import type { ComposedImage } from './atoms.js';

/** Largest image that models accept. */
const MAX_BYTES = 5 * 1024 * 1024;

/** Undefined when the file is not an image. Rejects with `tool_failed` for one that no model accepts. */
export async function readImageFile(path: string): Promise<ComposedImage | undefined> {
  // Do not block on a pipe without a writer.
  const file = await open(path, constants.O_RDONLY | constants.O_NONBLOCK);
  try {
    const stats = await file.stat();
    if (!stats.isFile()) return undefined;
    const head = Buffer.alloc(SIGNATURE_BYTES);
    await file.read(head, 0, SIGNATURE_BYTES, 0);
    const mediaType = imageMediaType(head);
    if (mediaType === undefined) return undefined;
    assertSize(stats.size);
    return toImage(mediaType, await file.readFile());
  } finally {
    await file.close();
  }
}

export function imageOf(data: Buffer): ComposedImage {
  const mediaType = imageMediaType(data);
  if (mediaType === undefined) throw new AgentError('tool_failed', 'The clipboard contains no image.');
  assertSize(data.length);
  return toImage(mediaType, data);
}

function assertSize(bytes: number): void {
  if (bytes <= MAX_BYTES) return;
  const size = (bytes / 1024 / 1024).toFixed(1);
  throw new AgentError('tool_failed', `The image has ${size} MB. The limit is 5 MB.`);
}

function toImage(mediaType: string, data: Buffer): ComposedImage {
  return { type: 'image', source: { type: 'base64', media_type: mediaType, data: data.toString('base64') } };
}
