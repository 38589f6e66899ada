import type { FileHandle } from 'node:fs/promises';
import { characterStart, cutLine } from '../truncate.js';

const CHUNK_BYTES = 256 * 1024;
const LINE_FEED = 0x0a;

/** `offset` counts from 0. */
export interface WindowOptions {
  readonly offset: number;
  readonly limit: number;
  readonly maxBytes: number;
}

export interface LineWindow {
  readonly text: string;
  readonly count: number;
  readonly hasMore: boolean;
}

/** In UTF-16 units. Longer lines are mostly generated. */
const MAX_LINE_LENGTH = 2000;

export function windowOfText(text: string, { offset, limit, maxBytes }: WindowOptions): LineWindow {
  const lines: string[] = [];
  let bytes = 0;
  let index = 0;
  let start = 0;
  while (start < text.length) {
    const feed = text.indexOf('\n', start);
    const end = feed === -1 ? text.length : feed + 1;
    if (index >= offset) {
      const line = shortened(text.slice(start, end));
      bytes += Buffer.byteLength(line);
      if (lines.length === limit || (bytes > maxBytes && lines.length > 0)) break;
      lines.push(line);
    }
    index += 1;
    start = end;
  }
  return { text: lines.join(''), count: lines.length, hasMore: start < text.length };
}

/** Reads no further than the end of the window. */
export async function windowOfFile(
  handle: FileHandle,
  { offset, limit, maxBytes }: WindowOptions,
  signal: AbortSignal,
): Promise<LineWindow> {
  const chunk = Buffer.allocUnsafe(CHUNK_BYTES);
  const taken: Buffer[] = [];
  let takenBytes = 0;
  let line = 0;
  let position = 0;
  while (line < offset + limit && takenBytes < maxBytes) {
    signal.throwIfAborted();
    const { bytesRead } = await handle.read(chunk, 0, CHUNK_BYTES, position);
    if (bytesRead === 0) return finish(taken, { limit, maxBytes, hasMore: false });
    const start = skipLines(chunk.subarray(0, bytesRead), offset - line);
    line += start.lines;
    const window = skipLines(chunk.subarray(start.end, bytesRead), line < offset ? 0 : offset + limit - line);
    line += window.lines;
    taken.push(Buffer.from(chunk.subarray(start.end, start.end + window.end)));
    takenBytes += window.end;
    position += start.end + window.end;
  }
  return finish(taken, { limit, maxBytes, hasMore: true });
}

function skipLines(bytes: Buffer, count: number): { readonly lines: number; readonly end: number } {
  let end = 0;
  for (let lines = 0; lines < count; lines += 1) {
    const feed = bytes.indexOf(LINE_FEED, end);
    if (feed === -1) return { lines, end: bytes.length };
    end = feed + 1;
  }
  return { lines: Math.max(count, 0), end };
}

function finish(taken: Buffer[], options: { limit: number; maxBytes: number; hasMore: boolean }): LineWindow {
  const bytes = Buffer.concat(taken);
  const text = bytes.subarray(0, characterStart(bytes, options.maxBytes)).toString();
  const window = windowOfText(text, { offset: 0, ...options });
  return { ...window, hasMore: window.hasMore || options.hasMore || text.length < bytes.toString().length };
}

function shortened(line: string): string {
  const end = line.endsWith('\n') ? '\n' : '';
  return line.length > MAX_LINE_LENGTH + 1 ? cutLine(line.slice(0, -1), MAX_LINE_LENGTH) + end : line;
}
