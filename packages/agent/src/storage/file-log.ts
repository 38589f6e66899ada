import { AgentError, encodeLine, type SessionRecord } from '@qwen/protocol';
import type { SessionLog } from '../ports.js';
import type { TitleRecord } from '../session/title.js';
import type { LogFile } from './log-file.js';
import { TITLE_WINDOW_BYTES } from './session-summary.js';
import { toStorageError } from './storage-error.js';

export interface FileLogOptions {
  readonly file: LogFile;
  readonly length: number;
  /** The next append then adds one first. */
  readonly lacksLineFeed: boolean;
  readonly title?: TitleRecord;
  readonly onClose: () => Promise<void>;
}

/**
 * Appends records in order. A record is durable against the death of this process once it is written. A failed
 * append is cut off, so that no record follows a partial line.
 */
export class FileLog implements SessionLog {
  readonly #options: FileLogOptions;
  readonly #title: TitleKeeper;
  #length: number;
  #lacksLineFeed: boolean;
  #hasTornTail = false;
  #last: Promise<void> = Promise.resolve();
  #closing: Promise<void> | undefined;

  constructor(options: FileLogOptions) {
    this.#options = options;
    this.#title = new TitleKeeper(options.title);
    this.#length = options.length;
    this.#lacksLineFeed = options.lacksLineFeed;
  }

  /** Rejects with `storage_full`, `storage_unwritable`, or `session_busy` if another process wrote to the file. */
  append(record: SessionRecord): Promise<void> {
    const { path } = this.#options.file;
    if (this.#closing !== undefined) {
      return Promise.reject(new AgentError('storage_unwritable', `${path} is closed.`));
    }
    const lines = this.#title.linesFor(record);
    const written = this.#last.then(() => this.#write(lines));
    this.#last = written.catch(() => {});
    return written.catch((thrown: unknown) => {
      throw toStorageError(thrown, path);
    });
  }

  close(): Promise<void> {
    this.#closing ??= this.#close();
    return this.#closing;
  }

  async #close(): Promise<void> {
    await this.#last;
    try {
      await this.#options.file.close();
    } finally {
      await this.#options.onClose();
    }
  }

  async #write(lines: string): Promise<void> {
    const { file } = this.#options;
    if (this.#hasTornTail) await this.#cutBack();
    const size = file.size();
    if (size !== this.#length) throw foreignWrite(file.path, this.#length, size);
    const bytes = Buffer.from(this.#lacksLineFeed ? `\n${lines}` : lines);
    try {
      await writeAll(file, bytes);
    } catch (thrown) {
      this.#hasTornTail = true;
      await this.#cutBack().catch(() => {});
      throw thrown;
    }
    this.#length += bytes.length;
    this.#lacksLineFeed = false;
  }

  async #cutBack(): Promise<void> {
    await this.#options.file.truncate(this.#length);
    this.#hasTornTail = false;
  }
}

async function writeAll(file: LogFile, bytes: Uint8Array): Promise<void> {
  let written = 0;
  while (written < bytes.length) {
    const count = await file.write(bytes.subarray(written));
    if (count === 0) throw new AgentError('storage_full', `Could not write to ${file.path}: no space is left.`);
    written += count;
  }
}

function foreignWrite(path: string, expected: number, found: number): AgentError {
  const message = `Another process changed ${path}: it has ${found} bytes instead of ${expected}.`;
  return new AgentError('session_busy', message, { data: { path, expected, found } });
}

/** Repeats the title near the end of the file, where lists look for it. */
class TitleKeeper {
  #line: string | undefined;
  #bytesSince = 0;

  constructor(title?: TitleRecord) {
    if (title !== undefined) {
      this.#line = encodeLine(title);
      this.#bytesSince = TITLE_WINDOW_BYTES;
    }
  }

  linesFor(record: SessionRecord): string {
    const line = encodeLine(record);
    if (record.type === 'title') {
      this.#line = line;
      this.#bytesSince = 0;
      return line;
    }
    if (this.#line === undefined) return line;
    this.#bytesSince += Buffer.byteLength(line);
    if (this.#bytesSince < TITLE_WINDOW_BYTES / 2) return line;
    this.#bytesSince = 0;
    return line + this.#line;
  }
}
