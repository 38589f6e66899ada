import type { SessionRecord } from '@qwen/protocol';
import type { SessionLog } from '../ports.js';

/** For tests, and for sessions that are not stored. */
export class MemoryLog implements SessionLog {
  readonly #records: SessionRecord[] = [];

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
