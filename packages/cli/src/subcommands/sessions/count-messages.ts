import { createReadStream } from 'node:fs';

/** Limit for a count in a list. */
const MAX_BYTES = 16 * 1024 * 1024;
/** Records start with their type, and a session file never starts with one of these. */
const MESSAGES = ['\n{"type":"user"', '\n{"type":"assistant"'].map((text) => Buffer.from(text));
const LONGEST = Math.max(...MESSAGES.map(({ length }) => length));

/** Exact up to the limit, then a lower bound with `+`. */
export async function countMessages(path: string): Promise<string> {
  let [count, bytes] = [0, 0];
  // A match may span two chunks.
  let rest: Buffer = Buffer.alloc(0);
  for await (const piece of createReadStream(path, { end: MAX_BYTES, highWaterMark: 1024 * 1024 })) {
    if (!Buffer.isBuffer(piece)) continue;
    const text = Buffer.concat([rest, piece]);
    count += MESSAGES.reduce((sum, message) => sum + countIn(text, message, rest.length), 0);
    rest = Buffer.from(text.subarray(Math.max(0, text.length - LONGEST + 1)));
    bytes += piece.length;
  }
  return `${count}${bytes > MAX_BYTES ? '+' : ''}`;
}

/** Skips matches already counted in the previous chunk. */
function countIn(text: Buffer, wanted: Buffer, counted: number): number {
  let count = 0;
  for (let at = text.indexOf(wanted); at !== -1; at = text.indexOf(wanted, at + 1)) {
    if (at + wanted.length > counted) count += 1;
  }
  return count;
}
