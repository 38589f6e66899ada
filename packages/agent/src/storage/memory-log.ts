import type { SessionRecord } from '@qwen/protocol';
import type { SessionLog } from '../ports.js';

/** A log that keeps nothing beyond the process: for tests, and for runs without persistence that the user asked for. */
export class MemoryLog implements SessionLog {
  readonly #records: SessionRecord[] = [];

  /** What was appended, in order. */
  get records(): readonly SessionRecord[] {
    return this.#records;
  }

  append(record: SessionRecord): Promise<void> {
    this.#records.push(record);
    return Promise.resolve();
  }

  close(): Promise<void> {
    return Promise.resolve();
  }
}
