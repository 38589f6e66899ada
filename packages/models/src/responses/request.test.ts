import { expect, test } from 'vitest';
import type { ModelMessage, ModelRequest } from '../parts.js';
import { toBody } from './request.js';
import { ResponseItemReader } from './response-reader.js';

const bodyOf = (request: Partial<ModelRequest>) =>
  toBody({ model: 'gpt-5', system: 'S', messages: [], tools: [], ...request }) as Record<string, unknown>;

test('reasoning goes back unchanged, before the call that it led to', () => {
  const item = { type: 'reasoning', id: 'rs_1', summary: [], encrypted_content: 'opaque', other: 1 };
  const reader = new ResponseItemReader();
  const [signed] = reader.read(JSON.stringify({ type: 'response.output_item.done', output_index: 0, item }));
  const signature = signed?.type === 'thinking_signature' ? signed.signature : '';
  const messages: ModelMessage[] = [
    { role: 'user', content: [{ type: 'text', text: 'go' }] },
    {
      role: 'assistant',
      content: [
        { type: 'thinking', text: '', signature },
        { type: 'tool_call', id: 'call_1', name: 'f', input: { a: 1 } },
      ],
    },
    {
      role: 'tool',
      results: [{ callId: 'call_1', name: 'f', content: [{ type: 'text', text: 'done' }], isError: false }],
    },
  ];
  expect(bodyOf({ messages })).toMatchObject({
    instructions: 'S',
    store: false,
    include: ['reasoning.encrypted_content'],
    input: [
      { role: 'user', content: [{ type: 'input_text', text: 'go' }] },
      item,
      { type: 'function_call', call_id: 'call_1', name: 'f', arguments: '{"a":1}' },
      { type: 'function_call_output', call_id: 'call_1', output: 'done' },
    ],
  });
});

test('models without reasoning get no members for it', () => {
  expect(bodyOf({ model: 'gpt-4.1', effort: 'high' })).not.toHaveProperty('reasoning');
  expect(bodyOf({ model: 'gpt-4.1' })).not.toHaveProperty('include');
  expect(bodyOf({ effort: 'high' })).toMatchObject({ reasoning: { effort: 'high', summary: 'auto' } });
});

test('a call in pieces is one call, and a whole response has the same parts', () => {
  const call = { type: 'function_call', id: 'fc_1', call_id: 'c', name: 'f', arguments: '{"a":1}' };
  const pieces = [
    { type: 'response.output_item.added', output_index: 1, item: { ...call, arguments: '' } },
    { type: 'response.function_call_arguments.delta', output_index: 1, delta: '{"a"' },
    { type: 'response.function_call_arguments.delta', output_index: 1, delta: ':1}' },
    { type: 'response.output_item.done', output_index: 1, item: call },
    { type: 'response.completed', response: { status: 'completed', output: [call] } },
  ];
  const whole = [{ object: 'response', status: 'completed', output: [call] }];
  for (const payloads of [pieces, whole]) {
    const reader = new ResponseItemReader();
    for (const payload of payloads) reader.read(JSON.stringify(payload));
    expect(reader.end()).toMatchObject([
      { type: 'tool_call_end', id: 'c', name: 'f', input: { a: 1 } },
      { type: 'finish', reason: 'tool_calls' },
    ]);
  }
});

test.for<[string, number, string]>([
  ['gpt-5', 0, 'minimal'],
  ['gpt-5.1', 0, 'none'],
  ['o3', 0, 'low'],
  ['gpt-5', 2_000, 'low'],
  ['gpt-5', 10_000, 'medium'],
  ['gpt-5', 50_000, 'high'],
])('%s: a limit of %i tokens for reasoning is the effort %s', ([model, thinkingTokens, effort]) => {
  expect(bodyOf({ model, thinkingTokens })).toMatchObject({ reasoning: { effort } });
});
