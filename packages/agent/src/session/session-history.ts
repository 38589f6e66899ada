import type { ModelMessage } from '@qwen/models';
import type { SessionRecord } from '@qwen/protocol';
import { ModelHistory } from '../conversation/model-history.js';
import { SessionLedger } from './session-ledger.js';

/** What a session needs from its records, read one by one: a long file need not fit into memory. */
export class SessionHistory {
  readonly ledger = new SessionLedger();
  /** IDs of the user messages, in order. */
  readonly messageIds: string[] = [];
  readonly #history = new ModelHistory();
  #createdAt: string | undefined;

  /** ISO time; undefined before the header is read. */
  get createdAt(): string | undefined {
    return this.#createdAt;
  }

  get history(): readonly ModelMessage[] {
    return this.#history.closeOpenCalls();
  }

  add(record: SessionRecord): void {
    if (record.type === 'session') this.#createdAt ??= record.created_at;
    if (record.type === 'user' && record.parent_tool_use_id === undefined) this.messageIds.push(record.uuid);
    this.ledger.add(record);
    this.#history.add(record);
  }
}
