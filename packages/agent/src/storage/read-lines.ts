import type { FileHandle } from 'node:fs/promises';

export interface FileLine {
  readonly bytes: Buffer;
  readonly end: number;
  readonly isWhole: boolean;
}

const CHUNK_BYTES = 1024 * 1024;
const LINE_FEED = 0x0a;

/** Reads lazily from a byte offset. */
export async function* readLines(handle: FileHandle, from = 0): AsyncGenerator<FileLine> {
  let pending: Buffer[] = [];
  let offset = from;
  for (;;) {
    const { bytesRead, buffer } = await handle.read(Buffer.allocUnsafe(CHUNK_BYTES), 0, CHUNK_BYTES, offset);
    if (bytesRead === 0) break;
    const chunk = buffer.subarray(0, bytesRead);
    let start = 0;
    for (let end = chunk.indexOf(LINE_FEED); end >= 0; end = chunk.indexOf(LINE_FEED, start)) {
      const piece = chunk.subarray(start, end);
      const bytes = pending.length === 0 ? piece : Buffer.concat([...pending, piece]);
      pending = [];
      start = end + 1;
      yield { bytes, end: offset + start, isWhole: true };
    }
    if (start < bytesRead) pending.push(chunk.subarray(start));
    offset += bytesRead;
  }
  if (pending.length > 0) yield { bytes: Buffer.concat(pending), end: offset, isWhole: false };
}
