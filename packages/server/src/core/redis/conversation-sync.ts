import { randomUUID } from 'node:crypto';
import { type FileHandle, mkdir, open, rename, rm } from 'node:fs/promises';
import { dirname } from 'node:path';
import { systemCodeOf } from '@qwen/protocol';
import type { Fence } from '../../redis/fence.js';
import type { ConversationStore } from '../../store/redis/conversation-store.js';

export interface ConversationSyncOptions {
  readonly sessionId: string;
  readonly fence: Fence;
  /** Absolute. */
  readonly path: string;
  readonly conversations: ConversationStore;
}

const CHUNK_BYTES = 256 * 1024;
const LINE_FEED = 0x0a;

/** Copies complete lines of the agent's session file to Redis, for the next process that has the session. */
export class ConversationSync {
  readonly #options: ConversationSyncOptions;
  /** Length of the copy. */
  #storedBytes = 0;
  #storing: Promise<void> = Promise.resolve();
  #isDue = false;

  constructor(options: ConversationSyncOptions) {
    this.#options = options;
  }

  /** Replaces the file with the copy. Errors: `lease_lost`, those of the store and the disk. */
  async restore(): Promise<void> {
    const { sessionId, fence, path, conversations } = this.#options;
    const length = await conversations.open({ sessionId, fence });
    this.#storedBytes = length;
    if (length === 0) return rm(path, { force: true });
    await mkdir(dirname(path), { recursive: true, mode: 0o700 });
    // A new inode, because the agent of a dead process may still write to the old one.
    const newPath = `${path}.restored-${randomUUID()}`;
    try {
      await using file = await open(newPath, 'wx', 0o600);
      for (let start = 0; start < length; start += CHUNK_BYTES) {
        const end = Math.min(start + CHUNK_BYTES, length);
        await file.writeFile(await conversations.read(sessionId, { start, end }));
      }
      await rename(newPath, path);
    } catch (thrown) {
      await rm(newPath, { force: true });
      throw thrown;
    }
  }

  /** Copies new lines. Never rejects: `persist()` retries. */
  async touch(): Promise<void> {
    if (this.#isDue) return;
    this.#isDue = true;
    await this.#queue(() => this.#copy()).catch(() => undefined);
  }

  /** Errors: as for `restore`. */
  persist(): Promise<void> {
    return this.#queue(() => this.#copy());
  }

  /** With the copies of files that the agent kept next to it. */
  async discard(): Promise<void> {
    const { path } = this.#options;
    const copies = path.replace(/\.jsonl$/, '.files');
    await this.#queue(() => rm(path, { force: true }));
    if (copies !== path) await rm(copies, { recursive: true, force: true });
  }

  async #queue(work: () => Promise<void>): Promise<void> {
    const done = this.#storing.then(work);
    this.#storing = done.catch(() => undefined);
    await done;
  }

  async #copy(): Promise<void> {
    this.#isDue = false;
    await using file = await openForReading(this.#options.path);
    if (file === undefined) return;
    const { size } = await file.stat();
    // Agents only append.
    if (size < this.#storedBytes) this.#storedBytes = 0;
    const { sessionId, fence, conversations } = this.#options;
    const buffer = Buffer.alloc(Math.min(CHUNK_BYTES, size - this.#storedBytes));
    // A line longer than the buffer is copied in parts.
    for (let at = this.#storedBytes; at < size; at = this.#storedBytes) {
      const { bytesRead } = await file.read(buffer, 0, buffer.length, at);
      const bytes = completeLines(buffer.subarray(0, bytesRead), at + bytesRead < size);
      if (bytes.length === 0) return;
      const length = await conversations.write({ sessionId, fence, at, bytes });
      // The file of the holder wins.
      this.#storedBytes = length === false ? 0 : length;
    }
  }
}

function completeLines(bytes: Buffer, hasMore: boolean): Buffer {
  const end = bytes.lastIndexOf(LINE_FEED) + 1;
  return end === 0 && hasMore ? bytes : bytes.subarray(0, end);
}

async function openForReading(path: string): Promise<FileHandle | undefined> {
  try {
    return await open(path, 'r');
  } catch (thrown) {
    if (systemCodeOf(thrown) === 'ENOENT') return undefined;
    throw thrown;
  }
}
