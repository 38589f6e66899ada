import type { ModelMessage } from '@qwen/models';
import type { SessionRecord } from '@qwen/protocol';
import { Conversation } from './model-history.js';

/** The conversation that the records of a session tell, as the model reads it. Calls without a result get one (F97). */
export function foldRecords(records: readonly SessionRecord[]): readonly ModelMessage[] {
  const conversation = new Conversation();
  for (const record of records) conversation.add(record);
  return conversation.close();
}
