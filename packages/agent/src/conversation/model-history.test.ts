import { verifies } from '@qwen/testkit';
import { expect, test } from 'vitest';
import { answer, prompt, result } from '../../test/records.js';
import { foldRecords, INTERRUPTED_RESULT, ModelHistory } from './model-history.js';

const use = (id: string) => ({ type: 'tool_use' as const, id, name: 'look', input: { id } });

test('records restore the conversation that the model had', () => {
  const records = [
    prompt('hi'),
    answer(
      { type: 'thinking', thinking: 'hm', signature: 's' },
      { type: 'text', text: 'let me look' },
      use('a'),
      use('b'),
    ),
    result('b', 'second'),
    result('a', 'first'),
    answer({ type: 'text', text: 'done' }),
  ];
  expect(foldRecords(records)).toEqual([
    { role: 'user', content: [{ type: 'text', text: 'hi' }] },
    {
      role: 'assistant',
      content: [
        { type: 'thinking', text: 'hm', signature: 's' },
        { type: 'text', text: 'let me look' },
        { type: 'tool_call', id: 'a', name: 'look', input: { id: 'a' } },
        { type: 'tool_call', id: 'b', name: 'look', input: { id: 'b' } },
      ],
    },
    {
      role: 'tool',
      results: [
        { callId: 'a', name: 'look', content: [{ type: 'text', text: 'first' }], isError: false },
        { callId: 'b', name: 'look', content: [{ type: 'text', text: 'second' }], isError: false },
      ],
    },
    { role: 'assistant', content: [{ type: 'text', text: 'done' }] },
  ]);
});

test("a call that a session's end cut off gets a result that states so", () => {
  verifies('F97');
  const cut = [prompt('hi'), answer(use('a'), use('b')), result('a', 'first')];
  const answered = [
    { callId: 'a', isError: false },
    { callId: 'b', isError: true, content: [{ text: INTERRUPTED_RESULT }] },
  ];
  expect(foldRecords(cut).at(-1)).toMatchObject({ role: 'tool', results: answered });
  const resumed = foldRecords([...cut, prompt('again'), result('b', 'too late')]);
  expect(resumed.map(({ role }) => role)).toEqual(['user', 'assistant', 'tool', 'user']);
  expect(resumed[2]).toMatchObject({ results: answered });
});

test('results without a call, duplicate results and empty answers leave no trace', () => {
  const records = [
    result('x', 'stray'),
    prompt('hi'),
    answer({ type: 'thinking', thinking: 'hm' }),
    answer(use('a')),
    result('a', 'first'),
    result('a', 'second'),
    answer({ type: 'text', text: '' }),
  ];
  expect(foldRecords(records)).toMatchObject([
    { role: 'user' },
    { role: 'assistant' },
    { role: 'tool', results: [{ content: [{ text: 'first' }] }] },
  ]);
});

test('incomplete arguments are sent to the provider as an empty object', () => {
  const broken = { type: 'tool_use' as const, id: 'a', name: 'look', input: '{"a":' };
  expect(foldRecords([prompt('hi'), answer(broken)])[1]).toMatchObject({ content: [{ input: {} }] });
});

test('IDs in the history are not used again', () => {
  const history = new ModelHistory(foldRecords([prompt('hi'), answer(use('a'))]));
  expect(history.claimCallId('a')).not.toBe('a');
  expect(history.claimCallId('b')).toBe('b');
  expect(history.claimCallId('b')).not.toBe('b');
});

test('the scope changes after messages were removed', () => {
  const history = new ModelHistory();
  const { scope } = history;
  history.add(prompt('hi'));
  expect(history.scope).toBe(scope);
  const compaction = {
    at: '',
    trigger: 'auto',
    summary: 's',
    kept_messages: 0,
    tokens_before: 2,
    tokens_after: 1,
  } as const;
  history.add({ type: 'compaction', ...compaction });
  expect(history.scope).not.toBe(scope);
  expect(history.createForSubagent().scope).not.toBe(history.scope);
});
