import { AgentError, encodeLine, type SessionRecord } from '@qwen/protocol';
import type { SessionLog } from '../ports.js';
import type { TitleRecord } from '../session/title.js';
import type { LogFile } from './log-file.js';
import { TITLE_WINDOW_BYTES } from './session-summary.js';
import { toStorageError } from './storage-error.js';

export interface FileLogOptions {
  readonly file: LogFile;
  /** Bytes of the file that are known to be good. */
  readonly length: number;
  /** Whether the last line lacks its line feed, which then comes before the next record (F89). */
  readonly lacksLineFeed: boolean;
  /** The last title in the file. */
  readonly title?: TitleRecord;
  /** Called once, after the file is closed. */
  readonly onClose: () => Promise<void>;
}

/**
 * Appends records to a session file, one after the other. A record counts once all of its bytes are handed to the
 * system; then it survives the death of this process. After a failed append the file is cut back to the last record
 * that counts, at once or before the next append, so that nothing is ever glued onto half a line (F83).
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

  /** Rejects with `storage_full`, `storage_unwritable`, or `session_busy` when somebody else wrote to the file. */
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

  /** Waits for the appends under way, then closes the file. Idempotent. */
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
      // When this fails too, the next append tries again; what counts now is the first error.
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
    if (count === 0) throw new AgentError('storage_full', `${file.path} takes no more bytes.`);
    written += count;
  }
}

function foreignWrite(path: string, expected: number, found: number): AgentError {
  const message = `Somebody else changed ${path}: it has ${found} bytes instead of ${expected}.`;
  return new AgentError('session_busy', message, { data: { path, expected, found } });
}

/** Repeats the title of a session before it leaves the end of the file, which is all that lists read. */
class TitleKeeper {
  #line: string | undefined;
  #bytesSince = 0;

  /** `title` is the last one in the file so far. */
  constructor(title?: TitleRecord) {
    if (title !== undefined) {
      this.#line = encodeLine(title);
      // Where it stands is not known, so that the next record repeats it.
      this.#bytesSince = TITLE_WINDOW_BYTES;
    }
  }

  /** What is to be written for this record: its line, and perhaps the title again. */
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
