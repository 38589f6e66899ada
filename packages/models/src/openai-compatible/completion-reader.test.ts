import { verifies } from '@qwen/testkit';
import { expect, test } from 'vitest';
import type { ModelPart } from '../parts.js';
import { CompletionReader } from './completion-reader.js';

const COUNTS = { prompt_tokens: 9, completion_tokens: 1 };
const FINISH = { choices: [{ delta: {}, finish_reason: 'stop' }] };
const read = (...payloads: readonly object[]): ModelPart[] => {
  const reader = new CompletionReader();
  return [...payloads.flatMap((payload) => [...reader.read(JSON.stringify(payload))]), ...reader.end()];
};
const deltas = (...list: readonly object[]) =>
  read(...list.map((delta) => ({ choices: [{ delta }] })), FINISH).slice(0, -1);
const thinking = (text: string) => ({ type: 'thinking_delta', text });
const text = (value: string) => ({ type: 'text_delta', text: value });

test.for<[string, readonly object[], readonly object[]]>([
  [
    'reasoning_content',
    [{ reasoning_content: 'a' }, { reasoning_content: 'b', content: null }],
    [thinking('a'), thinking('b')],
  ],
  ['reasoning', [{ reasoning: 'a' }, { reasoning: 'b', content: '' }], [thinking('a'), thinking('b')]],
  [
    'both, with the same words',
    [
      { reasoning: 'a', reasoning_content: 'a' },
      { reasoning: 'b', reasoning_content: 'b' },
    ],
    [thinking('a'), thinking('b')],
  ],
  [
    'blocks',
    [
      { content: [{ type: 'thinking', thinking: [{ type: 'text', text: 'a' }] }] },
      { content: [{ type: 'text', text: 'b' }] },
    ],
    [thinking('a'), text('b')],
  ],
  [
    'reasoning_text, thinking and thinking_content',
    [{ reasoning_text: 'a' }, { thinking: 'b' }, { thinking_content: 'c' }, { content: 'd' }],
    [thinking('a'), thinking('b'), thinking('c'), text('d')],
  ],
  [
    'blocks in other forms',
    [{ content: [{ type: 'thinking', thinking: 'a' }] }, { content: [{ text: 'b' }] }, { content: true }],
    [thinking('a'), text('b')],
  ],
  [
    'thinking and text in one chunk',
    [{ content: 'x' }, { reasoning_content: 'a', content: 'b' }],
    [text('x'), thinking('a'), text('b')],
  ],
])('content: %s', ([, list, parts]) => {
  expect(deltas(...list)).toEqual(parts);
});

test('the first of several choices counts', () => {
  const choice = (index: number, content: string) => ({ choices: [{ index, delta: { content } }] });
  const both = { choices: [choice(1, 'no').choices[0], choice(0, 'b').choices[0]] };
  const parts = read(
    choice(0, 'a'),
    choice(1, 'no'),
    both,
    { choices: [{ index: 1, finish_reason: 'length' }] },
    FINISH,
  );
  expect(parts).toMatchObject([text('a'), text('b'), { type: 'finish', reason: 'stop' }]);
});

test('a summary of reasoning is thinking', () => {
  expect(deltas({ reasoning_details: [{ type: 'reasoning.summary', summary: 'a' }] })[0]).toEqual(thinking('a'));
});

test('an empty error is none', () => {
  expect(read({ error: {}, choices: [{ delta: { content: 'a' }, error: { code: null } }] }, FINISH)[0]).toEqual(
    text('a'),
  );
});

test.for<[string, object | undefined, object]>([
  ['a negative count', { ...COUNTS, prompt_tokens: -1 }, { input_tokens: 0, output_tokens: 1, total_tokens: 1 }],
  ['a count that leaves out the cache', { ...COUNTS, cached_tokens: 50 }, { input_tokens: 59, total_tokens: 60 }],
])('usage: %s', ([, usage, expected]) => {
  expect(read({ ...FINISH, usage }).at(-1)).toMatchObject({ usage: expected });
});

test('a refusal is text with content_filter', () => {
  verifies('F78');
  expect(read({ choices: [{ delta: { refusal: 'I cannot.' } }] }, FINISH)).toMatchObject([
    text('I cannot.'),
    { type: 'finish', reason: 'content_filter' },
  ]);
});

test.for<[string, readonly object[], number]>([
  [
    'in a chunk of its own',
    [FINISH, { choices: [], usage: { ...COUNTS, prompt_tokens_details: { cached_tokens: 4 } } }],
    4,
  ],
  [
    'in the last of many chunks',
    [{ choices: [], usage: { prompt_tokens: 1 } }, FINISH, { choices: [], usage: COUNTS }],
    0,
  ],
  ['in the choice', [{ choices: [{ delta: {}, finish_reason: 'stop', usage: { ...COUNTS, cached_tokens: 3 } }] }], 3],
  [
    'in the choice, beside text',
    [{ choices: [] }, { choices: [{ delta: { content: 'x' }, usage: COUNTS }] }, FINISH],
    0,
  ],
  ['beside the choice', [{ ...FINISH, usage: { ...COUNTS, prompt_cache_hit_tokens: 2 } }], 2],
  ['in x_groq', [{ ...FINISH, x_groq: { usage: COUNTS } }], 0],
])('usage %s', ([, payloads, cached]) => {
  expect(read(...payloads).at(-1)).toEqual({
    type: 'finish',
    reason: 'stop',
    usage: { input_tokens: 9, output_tokens: 1, cache_read_input_tokens: cached, total_tokens: 10 },
  });
});

test('missing or invalid usage is zero', () => {
  const zero = { input_tokens: 0, output_tokens: 0 };
  expect(read(FINISH).at(-1)).toMatchObject({ usage: zero });
  expect(read({ ...FINISH, usage: 'none' }).at(-1)).toMatchObject({ usage: zero });
  expect(read({ ...FINISH, usage: { prompt_tokens: null } }).at(-1)).toMatchObject({ usage: zero });
});

test('a response without streaming has one message', () => {
  const parts = read({
    id: 'answer-1',
    choices: [
      {
        message: {
          role: 'assistant',
          content: 'Hello',
          tool_calls: [{ id: 'a', function: { name: 'f', arguments: '{}' } }],
        },
        finish_reason: 'tool_calls',
      },
    ],
  });
  expect(parts.map((part) => part.type)).toEqual([
    'text_delta',
    'tool_call_start',
    'tool_call_delta',
    'tool_call_end',
    'finish',
  ]);
});

test('[DONE] without a finish reason is an error', () => {
  verifies('F74');
  const reader = new CompletionReader();
  reader.read(JSON.stringify({ choices: [{ delta: { content: 'Hel' }, finish_reason: '' }] }));
  reader.read('[DONE]');
  expect(reader.progress).toBe('closed');
  expect(() => reader.end()).toThrow(expect.objectContaining({ code: 'stream_interrupted' }));
});

test('the first chunk sets id and model', () => {
  const reader = new CompletionReader();
  reader.read(JSON.stringify({ id: 'answer-1', model: 'm', choices: [{ delta: { content: 'w' } }] }));
  reader.read(JSON.stringify({ id: 'answer-1', model: 'm', choices: [{ delta: { content: 'x' } }] }));
  expect(reader.head).toEqual({ responseId: 'answer-1', model: 'm' });
});

test('further choices are ignored', () => {
  expect(
    read(
      {
        choices: [
          { index: 0, delta: { content: 'a' } },
          { index: 1, delta: { content: 'b' } },
        ],
      },
      FINISH,
    ),
  ).toMatchObject([text('a'), { type: 'finish' }]);
});

test.for<[string, readonly object[]]>([
  ['texts as parts', [{ content: ['H', 'i'] }]],
  ['a part without its list', [{ content: { type: 'text', text: 'Hi' } }]],
])('%s are read', ([, list]) => {
  expect(
    deltas(...list)
      .map((part) => (part.type === 'text_delta' ? part.text : part.type))
      .join(''),
  ).toBe('Hi');
});

test('a text of the endpoint for completions is read', () => {
  expect(read({ choices: [{ text: 'Hi' }] }, FINISH)[0]).toEqual(text('Hi'));
});

test('counts that are texts are numbers', () => {
  const usage = { prompt_tokens: '12', completion_tokens: '3' };
  expect(read({ ...FINISH, usage }).at(-1)).toMatchObject({ usage: { input_tokens: 12, output_tokens: 3 } });
});

test.for<[string, string]>([
  ['STOP', 'stop'],
  ['eos_token', 'stop'],
  ['MAX_TOKENS', 'length'],
  ['model_length', 'length'],
  ['sensitive', 'content_filter'],
  ['new_reason', 'other'],
  ['constructor', 'other'],
])('the finish reason %s is %s', ([finish_reason, reason]) => {
  expect(read({ choices: [{ delta: { content: 'x' }, finish_reason }] }).at(-1)).toMatchObject({ reason });
});

test.for(['error', 'insufficient_system_resource', 'network_error'])('%s is a broken answer', (finish_reason) => {
  expect(() => read({ choices: [{ delta: { content: 'x' }, finish_reason }] })).toThrow(finish_reason);
});

test('an error in a choice counts', () => {
  const choice = { delta: {}, finish_reason: 'error', error: { code: 429, message: 'slow down' } };
  expect(() => read({ choices: [choice] })).toThrow(/429: slow down/);
});

test('distinguishes calls without an index by id, and reads the form before tools', () => {
  const piece = (id: string, json: string, name?: string) => ({
    tool_calls: [{ id, function: { name, arguments: json } }],
  });
  const parts = deltas(piece('a', '{"x":', 'look'), piece('b', '{"y":', 'look'), piece('a', '1}'), piece('b', '2}'));
  const inputs = (all: readonly ModelPart[]) =>
    all.flatMap((part) => (part.type === 'tool_call_end' ? [part.input] : []));
  expect(inputs(parts)).toEqual([{ x: 1 }, { y: 2 }]);
  const old = [{ function_call: { name: 'look', arguments: '{"x":' } }, { function_call: { arguments: '1}' } }];
  expect(inputs(deltas(...old))).toEqual([{ x: 1 }]);
});
