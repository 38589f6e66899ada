import { AgentError, type SessionRecord } from '@qwen/protocol';

/**
 * The records up to and with the message of this id. The results of the tools that it called come along, or the copy
 * would tell the model that they were interrupted; so does the title of the session. Throws `message_not_found`.
 */
export function upToMessage(records: readonly SessionRecord[], messageId: string): readonly SessionRecord[] {
  const index = records.findIndex((record) => 'uuid' in record && record.uuid === messageId);
  const message = records[index];
  if (message === undefined) {
    throw new AgentError('message_not_found', `The session has no message ${messageId}.`, { data: { messageId } });
  }
  const title = records.slice(index + 1).findLast(({ type }) => type === 'title');
  return [...records.slice(0, index + 1), ...resultsOf(message, records.slice(index + 1)), ...(title ? [title] : [])];
}

function resultsOf(message: SessionRecord, later: readonly SessionRecord[]): readonly SessionRecord[] {
  if (message.type !== 'assistant') return [];
  const calls = new Set(message.content.flatMap((block) => (block.type === 'tool_use' ? [block.id] : [])));
  return later.filter((record) => record.type === 'tool_result' && calls.has(record.tool_use_id));
}
