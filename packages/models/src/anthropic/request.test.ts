import { expect, test } from 'vitest';
import type { ModelMessage, ModelPart, ModelRequest } from '../parts.js';
import { MessageReader } from './message-reader.js';
import { toBody } from './request.js';

const OPTIONS = { allowsSampling: true, marksCache: false };
const bodyOf = (request: Partial<ModelRequest>, options = OPTIONS) =>
  toBody({ model: 'claude-sonnet-4-5', system: '', messages: [], tools: [], ...request }, options) as Record<
    string,
    unknown
  >;
const user = (text: string): ModelMessage => ({ role: 'user', content: [{ type: 'text', text }] });

/** The thinking blocks of an answer, as the agent stores them. */
function thinkingOf(events: readonly object[]): ModelMessage {
  const reader = new MessageReader();
  const parts: ModelPart[] = events.flatMap((event) => reader.read(JSON.stringify(event)));
  const join = (type: 'thinking_delta' | 'thinking_signature') =>
    parts.map((part) => (part.type !== type ? '' : 'text' in part ? part.text : part.signature)).join('');
  return {
    role: 'assistant',
    content: [
      { type: 'thinking', text: join('thinking_delta'), signature: join('thinking_signature') },
      { type: 'text', text: 'So.' },
    ],
  };
}

test('thinking goes back block by block, unchanged, with the data of withheld blocks', () => {
  const start = (index: number, content_block: object) => ({ type: 'content_block_start', index, content_block });
  const delta = (index: number, value: object) => ({ type: 'content_block_delta', index, delta: value });
  const stop = (index: number) => ({ type: 'content_block_stop', index });
  const answer = thinkingOf([
    start(0, { type: 'thinking', thinking: '' }),
    delta(0, { type: 'thinking_delta', thinking: 'First ' }),
    delta(0, { type: 'thinking_delta', thinking: '🙂.' }),
    delta(0, { type: 'signature_delta', signature: 'sig-1' }),
    stop(0),
    start(1, { type: 'redacted_thinking', data: 'secret' }),
    stop(1),
    start(2, { type: 'thinking', thinking: 'Then.', signature: 'sig-2' }),
    stop(2),
  ]);
  expect(bodyOf({ messages: [user('go'), answer] })['messages']).toMatchObject([
    {},
    {
      content: [
        { type: 'thinking', thinking: 'First 🙂.', signature: 'sig-1' },
        { type: 'redacted_thinking', data: 'secret' },
        { type: 'thinking', thinking: 'Then.', signature: 'sig-2' },
        { type: 'text', text: 'So.' },
      ],
    },
  ]);
});

test('thinking of another provider is left out', () => {
  const answer: ModelMessage = {
    role: 'assistant',
    content: [
      { type: 'thinking', text: 'Hm.', signature: 'gemini-proof' },
      { type: 'text', text: 'So.' },
    ],
  };
  expect(JSON.stringify(bodyOf({ messages: [user('go'), answer] }))).not.toMatch(/Hm|proof/);
});

test('roles alternate, no text is empty, and ids have only allowed characters', () => {
  const messages: ModelMessage[] = [
    user('one'),
    { role: 'assistant', content: [{ type: 'tool_call', id: 'functions.f:0', name: 'read file', input: 'broken' }] },
    { role: 'tool', results: [{ callId: 'functions.f:0', name: 'read file', content: [], isError: true }] },
    user('two'),
    user(' '),
  ];
  expect(bodyOf({ messages })['messages']).toEqual([
    { role: 'user', content: [{ type: 'text', text: 'one' }] },
    { role: 'assistant', content: [{ type: 'tool_use', id: 'functions_f_0', name: 'read_file', input: {} }] },
    {
      role: 'user',
      content: [
        { type: 'tool_result', tool_use_id: 'functions_f_0', is_error: true },
        { type: 'text', text: 'two' },
      ],
    },
  ]);
});

test('cache markers are on the system prompt, the last tool and the ends of two requests', () => {
  const tool = { name: 'f', description: '', inputSchema: { type: 'object' } };
  const messages: ModelMessage[] = [
    user('one'),
    { role: 'assistant', content: [{ type: 'text', text: 'a' }] },
    user('b'),
  ];
  const body = bodyOf(
    { system: 'S', tools: [tool, { ...tool, name: 'g' }], messages },
    { ...OPTIONS, marksCache: true },
  );
  expect(JSON.stringify(body).match(/"cache_control":\{"type":"ephemeral"\}/g)).toHaveLength(4);
  expect(body).toMatchObject({
    system: [{ cache_control: {} }],
    tools: [{ name: 'f' }, { name: 'g', cache_control: {} }],
    messages: [{ content: [{ cache_control: {} }] }, {}, { content: [{ cache_control: {} }] }],
  });
  expect(JSON.stringify(bodyOf({ system: 'S', messages }))).not.toContain('cache_control');
});

test.for([
  ['claude-sonnet-4-5', { effort: 'high' }, { thinking: { type: 'enabled', budget_tokens: 24_576 } }],
  ['claude-opus-4-6', { effort: 'high' }, { thinking: { type: 'adaptive' }, output_config: { effort: 'high' } }],
  ['claude-sonnet-4-5', { thinkingTokens: 2_000 }, { thinking: { type: 'enabled', budget_tokens: 2_000 } }],
  ['claude-sonnet-4-5', { thinkingTokens: 0 }, { thinking: { type: 'disabled' } }],
  ['claude-sonnet-4-5', {}, {}],
] as const)('%s with %o', ([model, request, expected]) => {
  const { thinking, output_config } = bodyOf({ model, ...request });
  expect({ thinking, output_config }).toEqual({ thinking: undefined, output_config: undefined, ...expected });
});

test('the public endpoint gets no sampling values', () => {
  expect(bodyOf({ temperature: 0.5, topP: 0.9 })).toMatchObject({ temperature: 0.5, top_p: 0.9 });
  const body = bodyOf({ temperature: 0.5, topP: 0.9 }, { ...OPTIONS, allowsSampling: false });
  expect(body).not.toHaveProperty('temperature');
});
