import { encodeLine, type SessionRecord } from '@qwen/protocol';
import type { TitleRecord } from '../session/title.js';
import { TITLE_WINDOW_BYTES } from './session-summary.js';

/** Repeats the title of a session before it leaves the end of the file, which is all that lists read. */
export class TitleKeeper {
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
