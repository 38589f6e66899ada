import type { FileHandle } from 'node:fs/promises';
import { AgentError, type SessionRecord } from '@qwen/protocol';
import { readLines } from './read-lines.js';
import { readLine, refuseNewer } from './read-records.js';
import { parseObject } from './recover-objects.js';

/**
 * The records of a session file, read as they are asked for, so that a copy of a long one costs no memory (F95). What
 * cannot be read is left out. Throws `session_newer_version`, and system errors as they come.
 */
export async function* copiedRecords(handle: FileHandle): AsyncGenerator<SessionRecord> {
  for await (const { bytes, isWhole } of readLines(handle)) {
    const text = bytes.toString();
    // A line that is being written, or that was when its writer died.
    if (!isWhole && parseObject(text) === undefined) return;
    if (text.trim() === '') continue;
    for (const record of readLine(text).records) {
      if (record.type === 'session') refuseNewer(record.version);
      yield record;
    }
  }
}

/** The header of a file is its own. */
export async function* withoutHeader(
  first: SessionRecord,
  rest: AsyncIterable<SessionRecord>,
): AsyncGenerator<SessionRecord> {
  if (first.type !== 'session') yield first;
  for await (const record of rest) if (record.type !== 'session') yield record;
}

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
