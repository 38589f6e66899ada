import type { ModelMessage } from '@qwen/models';
import type { SessionRecord } from '@qwen/protocol';

/** The conversation that the records tell, as the model reads it. */
export function foldRecords(records: readonly SessionRecord[]): ModelMessage[] {
  return records.length === 0 ? [] : [];
}
