import { randomUUID } from 'node:crypto';
import { type FileHandle, mkdir, open, rename, rm } from 'node:fs/promises';
import { dirname } from 'node:path';
import type { Conversations } from '../../store/redis/conversations.js';
import type { Lease } from './session-leases.js';

export interface TravellingConversationOptions {
  readonly lease: Lease;
  /** The file of the agent; absolute. */
  readonly path: string;
  readonly conversations: Conversations;
}

const CHUNK_BYTES = 256 * 1024;
const LINE_FEED = 0x0a;

/**
 * The conversation of a session while this process has it: the agent needs it as a file here, and the next process may be
 * on another machine. So it is brought from Redis before the first turn, what the agent adds goes to Redis, and the file
 * goes away with the lease. Lines are taken whole and not looked into.
 */
export class TravellingConversation {
  readonly #options: TravellingConversationOptions;
  /** How much of the file is in Redis. */
  #savedBytes = 0;
  #saving: Promise<void> = Promise.resolve();
  #isDue = false;

  constructor(options: TravellingConversationOptions) {
    this.#options = options;
  }

  /** Makes the file what Redis has. Errors: `lease_lost`, those of the store and of the disk. */
  async bring(): Promise<void> {
    const { lease, path, conversations } = this.#options;
    const length = await conversations.open(lease);
    this.#savedBytes = length;
    if (length === 0) return rm(path, { force: true });
    await mkdir(dirname(path), { recursive: true, mode: 0o700 });
    // A file of its own first: an agent that a dead process left behind keeps writing to the old one, where nobody looks.
    const newPath = `${path}.brought-${randomUUID()}`;
    try {
      await using file = await open(newPath, 'wx', 0o600);
      for (let start = 0; start < length; start += CHUNK_BYTES) {
        const end = Math.min(start + CHUNK_BYTES, length);
        await file.writeFile(await conversations.read(lease.sessionId, { start, end }));
      }
      await rename(newPath, path);
    } catch (thrown) {
      await rm(newPath, { force: true });
      throw thrown;
    }
  }

  /** The agent has written: what it wrote goes to Redis in the background, in so few steps as fit. Never throws. */
  touch(): void {
    if (this.#isDue) return;
    this.#isDue = true;
    // What fails here is tried again at the end of the turn, which says so.
    this.#queue(() => this.#save()).catch(() => undefined);
  }

  /** Resolves when Redis has all whole lines of the file. Errors: as for `bring`. */
  save(): Promise<void> {
    return this.#queue(() => this.#save());
  }

  /** The session goes to another process, or away: nothing of it is left here. */
  async clear(): Promise<void> {
    await this.#queue(() => rm(this.#options.path, { force: true }));
  }

  async #queue(work: () => Promise<void>): Promise<void> {
    const done = this.#saving.then(work);
    this.#saving = done.catch(() => undefined);
    await done;
  }

  async #save(): Promise<void> {
    this.#isDue = false;
    await using file = await openForReading(this.#options.path);
    if (file === undefined) return;
    const { size } = await file.stat();
    // An agent only adds lines; a file that is shorter is another one.
    if (size < this.#savedBytes) this.#savedBytes = 0;
    const { lease, conversations } = this.#options;
    const buffer = Buffer.alloc(Math.min(CHUNK_BYTES, size - this.#savedBytes));
    // A line that is longer than the buffer goes in pieces; what a dying agent leaves of one is repaired by the next.
    for (let at = this.#savedBytes; at < size; at = this.#savedBytes) {
      const { bytesRead } = await file.read(buffer, 0, buffer.length, at);
      const bytes = wholeLines(buffer.subarray(0, bytesRead), at + bytesRead < size);
      if (bytes.length === 0) return;
      const length = await conversations.write({ ...lease, at, bytes });
      // Not what we had brought: this process has the lease, so what stands here counts.
      this.#savedBytes = length === false ? 0 : length;
    }
  }
}

function wholeLines(bytes: Buffer, hasMore: boolean): Buffer {
  const end = bytes.lastIndexOf(LINE_FEED) + 1;
  return end === 0 && hasMore ? bytes : bytes.subarray(0, end);
}

async function openForReading(path: string): Promise<FileHandle | undefined> {
  try {
    return await open(path, 'r');
  } catch (thrown) {
    if (thrown instanceof Error && 'code' in thrown && thrown.code === 'ENOENT') return undefined;
    throw thrown;
  }
}
