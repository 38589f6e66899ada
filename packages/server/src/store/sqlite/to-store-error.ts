import { AgentError } from '@qwen/protocol';
import { storageCodeOf } from '../../log/sqlite/result-codes.js';

/** What a step of the store threw, with a code of ours. */
export function toStoreError(thrown: unknown): AgentError {
  if (AgentError.is(thrown)) return thrown;
  const message = thrown instanceof Error ? thrown.message : String(thrown);
  return new AgentError(storageCodeOf(thrown) ?? 'storage_damaged', `The store of the sessions: ${message}`, {
    cause: thrown,
  });
}
