import { AgentError, type SessionRecord } from '@qwen/protocol';

/**
 * The records up to and with the message of this id. The results of the tools that it called come along, or the copy
 * would tell the model that they were interrupted; so does the title of the session. Throws `message_not_found` when
 * the records end without it.
 */
export async function* upToMessage(
  records: AsyncIterable<SessionRecord>,
  messageId: string,
): AsyncGenerator<SessionRecord> {
  let message: SessionRecord | undefined;
  let title: SessionRecord | undefined;
  for await (const record of records) {
    if (message === undefined) {
      yield record;
      if ('uuid' in record && record.uuid === messageId) message = record;
    } else if (record.type === 'title') {
      title = record;
    } else if (isResultOf(record, message)) {
      yield record;
    }
  }
  if (message === undefined) {
    throw new AgentError('message_not_found', `The session has no message ${messageId}.`, { data: { messageId } });
  }
  if (title !== undefined) yield title;
}

function isResultOf(record: SessionRecord, message: SessionRecord): boolean {
  if (record.type !== 'tool_result' || message.type !== 'assistant') return false;
  return message.content.some((block) => block.type === 'tool_use' && block.id === record.tool_use_id);
}
