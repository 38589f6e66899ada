import { verifies } from '@qwen/testkit';
import { expect, test } from 'vitest';
import { seedHistory } from './seed-history.js';

const AT = '2026-01-01T00:00:00.000Z';

test('earlier messages become the records of a conversation, system messages a prompt', () => {
  verifies('CF-21');
  const { records, systemPrompt } = seedHistory(
    [
      { role: 'system', content: 'Be brief.' },
      { role: 'developer', content: 'Be kind.' },
      { role: 'user', content: [{ type: 'text', text: 'What is in a?' }] },
      {
        role: 'assistant',
        content: null,
        tool_calls: [{ id: 'c', function: { name: 'read_file', arguments: '{"file_path":"a"}' } }],
      },
      { role: 'tool', tool_call_id: 'c', content: 'text of a' },
      { role: 'assistant', content: 'It says a.' },
    ],
    AT,
  );
  expect(systemPrompt).toBe('Be brief.\n\nBe kind.');
  expect(records).toMatchObject([
    { type: 'user', content: 'What is in a?' },
    {
      type: 'assistant',
      stop_reason: 'tool_use',
      content: [{ type: 'tool_use', id: 'c', name: 'read_file', input: { file_path: 'a' } }],
    },
    { type: 'tool_result', tool_use_id: 'c', tool_name: 'read_file', content: 'text of a' },
    { type: 'assistant', stop_reason: 'end_turn', content: [{ type: 'text', text: 'It says a.' }] },
  ]);
});

test.each([
  [{ role: 'tool', tool_call_id: 'x', content: '' }, 'tool_call_id'],
  [{ role: 'oracle', content: '' }, '"oracle" is not a valid role'],
  [{ role: 'assistant', tool_calls: [{ id: 'c', function: { name: 'f', arguments: '[1]' } }] }, 'invalid tool input'],
])('%j is refused by its place', (message, expected) => {
  verifies('GAP-12');
  expect(() => seedHistory([message], AT)).toThrow(expected);
});
