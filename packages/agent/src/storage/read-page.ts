import type { FileHandle } from 'node:fs/promises';
import { AgentError, type SessionRecord } from '@qwen/protocol';
import { readLines } from './read-lines.js';
import { readLine, refuseNewer } from './read-records.js';

export interface MessageQuery {
  readonly limit?: number;
  readonly cursor?: string;
}

export type MessageRecord = Extract<SessionRecord, { readonly type: 'user' | 'assistant' | 'tool_result' }>;

export interface MessagePage {
  readonly messages: readonly MessageRecord[];
  readonly nextCursor?: string;
}

const MAX_MESSAGES = 500;
/** A page is one control line of at most 16 MiB, and JSON in JSON grows. */
const MAX_PAGE_BYTES = 4 * 1024 * 1024;

/** Rejects with `invalid_payload`. */
export async function readMessagePage(handle: FileHandle, query: MessageQuery): Promise<MessagePage> {
  const { limit = MAX_MESSAGES, cursor = '0' } = query;
  if (!Number.isInteger(limit) || limit < 1) {
    throw new AgentError('invalid_payload', `limit: expected a number of messages above 0, not ${limit}`);
  }
  if (!/^\d{1,15}$/.test(cursor)) {
    throw new AgentError('invalid_payload', 'cursor: expected the next_cursor of an earlier page');
  }
  const from = Number(cursor);
  const messages: MessageRecord[] = [];
  let position = from;
  for await (const { bytes, end } of readLines(handle, from)) {
    const { records } = readLine(bytes.toString());
    for (const record of records) if (record.type === 'session') refuseNewer(record.version);
    const found = records.filter(isMessage);
    const isFull = messages.length + found.length > Math.min(limit, MAX_MESSAGES) || end - from > MAX_PAGE_BYTES;
    if (found.length > 0 && messages.length > 0 && isFull) return { messages, nextCursor: String(position) };
    messages.push(...found);
    position = end;
  }
  return { messages };
}

function isMessage(record: SessionRecord): record is MessageRecord {
  return record.type === 'user' || record.type === 'assistant' || record.type === 'tool_result';
}
