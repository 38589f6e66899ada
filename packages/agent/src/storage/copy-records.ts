import type { FileHandle } from 'node:fs/promises';
import { AgentError, type SessionRecord } from '@qwen/protocol';
import { readLines } from './read-lines.js';
import { readLine, refuseNewer } from './read-records.js';
import { parseObject } from './recover-objects.js';

/** Streams the records for a copy; skips unreadable ones. Throws `session_newer_version` and system errors. */
export async function* copiedRecords(handle: FileHandle): AsyncGenerator<SessionRecord> {
  for await (const { bytes, isWhole } of readLines(handle)) {
    const text = bytes.toString();
    if (!isWhole && parseObject(text) === undefined) return;
    if (text.trim() === '') continue;
    for (const record of readLine(text).records) {
      if (record.type === 'session') refuseNewer(record.version);
      yield record;
    }
  }
}

export async function* withoutHeader(
  first: SessionRecord,
  rest: AsyncIterable<SessionRecord>,
): AsyncGenerator<SessionRecord> {
  if (first.type !== 'session') yield first;
  for await (const record of rest) if (record.type !== 'session') yield record;
}

/** Includes the results of the message's tool calls and the last title. Throws `message_not_found`. */
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
