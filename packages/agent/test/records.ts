import { randomUUID } from 'node:crypto';
import type { SessionRecord } from '@qwen/protocol';

const AT = '2030-01-01T00:00:00.000Z';

/** A session to be created, with a new id. */
export const newSession = (cwd = '/w/app') => ({ sessionId: randomUUID(), cwd, createdAt: AT });

export const prompt = (content: string): SessionRecord => ({ type: 'user', uuid: content, at: AT, content });

export const answer = (...content: Extract<SessionRecord, { type: 'assistant' }>['content']): SessionRecord => ({
  type: 'assistant',
  uuid: 'a',
  at: AT,
  model: 'm',
  content,
  stop_reason: 'tool_use',
  usage: { input_tokens: 1, output_tokens: 1 },
});

export const result = (callId: string, content: string): SessionRecord => ({
  type: 'tool_result',
  uuid: 'r',
  at: AT,
  tool_use_id: callId,
  tool_name: 'look',
  content,
  is_error: false,
});

/** The prompts among the records. */
export const prompts = (records: readonly SessionRecord[]): string[] =>
  records.flatMap((record) => (record.type === 'user' && typeof record.content === 'string' ? [record.content] : []));
