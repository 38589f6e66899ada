import type { ModelMessage } from '@qwen/models';
import type { SessionRecord } from '@qwen/protocol';
import { ModelHistory } from '../conversation/model-history.js';
import { SessionLedger } from './session-ledger.js';

/**
 * What a session must know of its past, taken from its records one by one: of a file that is longer than memory only
 * what still counts is kept.
 */
export class SessionPast {
  readonly ledger = new SessionLedger();
  readonly #history = new ModelHistory();
  #beganAt: string | undefined;

  /** ISO time at which the session began; undefined while its header was not read. */
  get beganAt(): string | undefined {
    return this.#beganAt;
  }

  /** The conversation so far as the model reads it, every call answered. */
  get history(): readonly ModelMessage[] {
    return this.#history.closeOpenCalls();
  }

  add(record: SessionRecord): void {
    if (record.type === 'session') this.#beganAt ??= record.created_at;
    this.ledger.add(record);
    this.#history.add(record);
  }
}
