import { type FileHandle, open } from 'node:fs/promises';
import { setTimeout as sleep } from 'node:timers/promises';
import { AgentError, systemCodeOf } from '@qwen/protocol';
import type { SessionKey, SessionStore, SessionStoreEntry, SessionStoreFlush } from './session-store.js';
import { callStore, type StoredSize, toEntry } from './store-folder.js';

const BATCH_BYTES = 1024 * 1024;
const BATCH_ENTRIES = 500;
const BATCH_DELAY_MS = 100;
const RETRY_DELAYS_MS = [100, 400];
/** Limit of a call after one that hung. */
const SUSPECT_LIMIT_MS = 2_000;

export interface SessionMirrorOptions {
  readonly store: SessionStore;
  readonly key: SessionKey;
  /** The session file; created later by the CLI. */
  readonly path: string;
  /** Bytes and lines that the store has already. */
  readonly stored: StoredSize;
  readonly flush: SessionStoreFlush;
  readonly limitMs: number;
  /** At most once per {@link SessionMirror.flush}. Must not throw. */
  readonly onError: (error: AgentError) => void;
}

interface Batch {
  readonly entries: SessionStoreEntry[];
  readonly bytes: number;
  readonly lines: number;
}

/**
 * Copies what the CLI adds to a session file into a store, in order. The file is the buffer: what the store refuses is
 * sent again by the next flush.
 */
export class SessionMirror {
  readonly #options: SessionMirrorOptions;
  #bytes: number;
  #lines: number;
  #file: FileHandle | undefined;
  #batch: Batch | undefined;
  #timer: NodeJS.Timeout | undefined;
  #last: Promise<boolean> = Promise.resolve(true);
  #isSuspended = false;
  #hasHung = false;

  constructor(options: SessionMirrorOptions) {
    this.#options = options;
    this.#bytes = options.stored.bytes;
    this.#lines = options.stored.lines;
  }

  touch(): void {
    if (this.#isSuspended || this.#timer !== undefined) return;
    if (this.#options.flush === 'eager') void this.#enqueue();
    else this.#timer = setTimeout(() => void this.#enqueue(), BATCH_DELAY_MS);
  }

  /** Resolves with whether the store has everything. Never rejects. `mustExist`: a missing file is an error. */
  flush(mustExist = false): Promise<boolean> {
    this.#isSuspended = false;
    return this.#enqueue(mustExist);
  }

  async close(): Promise<boolean> {
    const isComplete = await this.flush();
    await this.#file?.close();
    return isComplete;
  }

  #enqueue(mustExist = false): Promise<boolean> {
    clearTimeout(this.#timer);
    this.#timer = undefined;
    this.#last = this.#last.then(() => this.#drain(mustExist));
    return this.#last;
  }

  async #drain(mustExist: boolean): Promise<boolean> {
    if (this.#isSuspended) return false;
    try {
      for (;;) {
        this.#batch ??= await this.#read(mustExist);
        if (this.#batch === undefined) return true;
        await this.#append(this.#batch.entries);
        this.#bytes += this.#batch.bytes;
        this.#lines += this.#batch.lines;
        this.#batch = undefined;
      }
    } catch (thrown) {
      this.#isSuspended = true;
      this.#options.onError(AgentError.from(thrown));
      return false;
    }
  }

  async #read(mustExist: boolean): Promise<Batch | undefined> {
    this.#file ??= await this.#open(mustExist);
    if (this.#file === undefined) return undefined;
    for (let size = BATCH_BYTES; ; size *= 2) {
      const { bytesRead, buffer } = await this.#file.read(Buffer.allocUnsafe(size), 0, size, this.#bytes);
      const end = buffer.subarray(0, bytesRead).lastIndexOf('\n') + 1;
      if (end > 0) return toBatch(buffer.subarray(0, end), this.#lines);
      if (bytesRead < size) return undefined;
    }
  }

  async #open(mustExist: boolean): Promise<FileHandle | undefined> {
    const { path } = this.#options;
    try {
      return await open(path, 'r');
    } catch (thrown) {
      const isMissing = systemCodeOf(thrown) === 'ENOENT';
      if (isMissing && !mustExist) return undefined;
      const hint = 'With sessionStore, the CLI and the app must share a file system.';
      throw new AgentError('storage_unreachable', `Could not read the session file ${path}. ${hint}`, {
        cause: thrown,
      });
    }
  }

  async #append(entries: SessionStoreEntry[]): Promise<void> {
    if (entries.length === 0) return;
    const { store, key, limitMs: given } = this.#options;
    for (let attempt = 0; ; attempt += 1) {
      const limitMs = this.#hasHung ? Math.min(given, SUSPECT_LIMIT_MS) : given;
      try {
        await callStore({ name: 'append', limitMs, run: () => store.append({ ...key }, [...entries]) });
        this.#hasHung = false;
        return;
      } catch (thrown) {
        const delayMs = RETRY_DELAYS_MS[attempt];
        // A call that hangs may still succeed.
        this.#hasHung ||= AgentError.is(thrown) && thrown.code === 'timeout';
        if (delayMs === undefined || this.#hasHung) throw thrown;
        await sleep(delayMs);
      }
    }
  }
}

function toBatch(bytes: Buffer, lines: number): Batch {
  const entries: SessionStoreEntry[] = [];
  let end = 0;
  let count = 0;
  while (end < bytes.length && count < BATCH_ENTRIES) {
    const next = bytes.indexOf('\n', end) + 1;
    const entry = toEntry(bytes.toString('utf8', end, next - 1), lines + count);
    if (entry !== undefined) entries.push(entry);
    end = next;
    count += 1;
  }
  return { entries, bytes: end, lines: count };
}
