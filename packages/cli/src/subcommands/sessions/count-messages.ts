import { createReadStream } from 'node:fs';

/** More is not read for a number in a list. */
const MAX_BYTES = 16 * 1024 * 1024;
/** Records are written with their type first, and none of these is the first line of a file. */
const MESSAGES = ['\n{"type":"user"', '\n{"type":"assistant"'].map((text) => Buffer.from(text));
const LONGEST = Math.max(...MESSAGES.map(({ length }) => length));

/** How many messages of people and models a session file holds; of a very long one at least so many, with a `+`. */
export async function countMessages(path: string): Promise<string> {
  let [count, bytes] = [0, 0];
  // What begins in one piece of the file may end in the next one.
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

/** Those that end behind the part that was counted with the piece before. */
function countIn(text: Buffer, wanted: Buffer, counted: number): number {
  let count = 0;
  for (let at = text.indexOf(wanted); at !== -1; at = text.indexOf(wanted, at + 1)) {
    if (at + wanted.length > counted) count += 1;
  }
  return count;
}
