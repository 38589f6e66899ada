import { expect, test } from 'vitest';
import { SESSION_FILE_VERSION, type SessionRecord, sessionRecordSchema } from './session-records.js';

const at = '2026-01-01T00:00:00.000Z';
const usage = { input_tokens: 1, output_tokens: 1 };

const records: readonly SessionRecord[] = [
  { type: 'session', version: SESSION_FILE_VERSION, session_id: 's', cwd: '/', created_at: at },
  { type: 'user', uuid: 'u', at, content: 'hello' },
  { type: 'assistant', uuid: 'u', at, model: 'm', content: [{ type: 'text', text: 'a' }], stop_reason: 'stop', usage },
  { type: 'tool_result', uuid: 'u', at, tool_use_id: 't', tool_name: 'edit', content: 'done', is_error: false },
  { type: 'turn_end', at, outcome: 'success', usage },
  { type: 'note', uuid: 'u', at, text: 'by the way' },
  { type: 'cleared', at },
  { type: 'restored', at, records: [{ type: 'user', uuid: 'u', at, content: 'older' }] },
  {
    type: 'client_call',
    uuid: 'u',
    at,
    tool_use_id: 't',
    tool_name: 'edit',
    input: { a: 1 },
    content: 'done',
    is_error: false,
  },
];

test.each(records.map((record) => [record.type, record] as const))(
  'a %s record is read as it was written',
  (_type, record) => {
    expect(sessionRecordSchema.safeParse(JSON.parse(JSON.stringify(record)))).toEqual({ success: true, data: record });
    expect(sessionRecordSchema.safeParse({ type: record.type }).success).toBe(false);
  },
);

test('a conversation is restored from its records only', () => {
  const restored = (record: object) =>
    sessionRecordSchema.safeParse({ type: 'restored', at, records: [record] }).success;
  expect(restored({ type: 'note', uuid: 'u', at, text: 'x' })).toBe(true);
  expect(restored({ type: 'cleared', at })).toBe(false);
  expect(restored({ type: 'restored', at, records: [] })).toBe(false);
});
