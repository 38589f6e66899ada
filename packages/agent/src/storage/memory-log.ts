import type { SessionRecord } from '@qwen/protocol';
import type { SessionLog } from '../ports.js';

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
