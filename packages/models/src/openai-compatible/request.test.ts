import { verifies } from '@qwen/testkit';
import { describe, expect, test } from 'vitest';
import type { ModelMessage, ModelRequest, ToolResultPart } from '../parts.js';
import { quirksOf } from './quirks.js';
import { toBody } from './request.js';

const PLAIN = quirksOf('localhost', 'm');
const messagesOf = (messages: readonly ModelMessage[], quirks = PLAIN) =>
  toBody({ model: 'm', system: '', messages, tools: [] }, quirks).messages;
const says = (text: string): ModelMessage => ({ role: 'user', content: [{ type: 'text', text }] });
const calls = (id: string, name = 'f', input: unknown = {}): ModelMessage => ({
  role: 'assistant',
  content: [{ type: 'tool_call', id, name, input }],
});
const result = (callId: string, content: ToolResultPart['content']): ToolResultPart => ({
  callId,
  name: 'f',
  content,
  isError: false,
});

test('a complete request', () => {
  const request: ModelRequest = {
    model: 'm',
    system: 'Be brief.',
    messages: [
      says('Hi'),
      calls('a', 'f', { n: 1 }),
      { role: 'tool', results: [result('a', [{ type: 'text', text: 'one' }])] },
    ],
    tools: [{ name: 'f', description: 'Does it.', inputSchema: { type: 'object' } }],
    maxOutputTokens: 100,
    temperature: 0,
    topP: 0.5,
  };
  expect(toBody(request, PLAIN)).toEqual({
    model: 'm',
    messages: [
      { role: 'system', content: 'Be brief.' },
      { role: 'user', content: 'Hi' },
      {
        role: 'assistant',
        content: null,
        tool_calls: [{ id: 'a', type: 'function', function: { name: 'f', arguments: '{"n":1}' } }],
      },
      { role: 'tool', tool_call_id: 'a', content: 'one' },
    ],
    tools: [{ type: 'function', function: { name: 'f', description: 'Does it.', parameters: { type: 'object' } } }],
    stream: true,
    stream_options: { include_usage: true },
    max_tokens: 100,
    temperature: 0,
    top_p: 0.5,
  });
});

test('text becomes a string, images become parts', () => {
  const image = { type: 'image', mediaType: 'image/png', data: 'AAAA' } as const;
  expect(
    messagesOf([
      {
        role: 'user',
        content: [
          { type: 'text', text: 'a' },
          { type: 'text', text: 'b' },
        ],
      },
      {
        role: 'user',
        content: [{ type: 'text', text: 'c' }, image, { type: 'image_url', url: 'https://x.test/i.png' }],
      },
    ]),
  ).toEqual([
    { role: 'user', content: 'a\nb' },
    {
      role: 'user',
      content: [
        { type: 'text', text: 'c' },
        { type: 'image_url', image_url: { url: 'data:image/png;base64,AAAA' } },
        { type: 'image_url', image_url: { url: 'https://x.test/i.png' } },
      ],
    },
  ]);
});

test('images of tools follow the last result', () => {
  const image = { type: 'image', mediaType: 'image/png', data: 'AAAA' } as const;
  const roles = messagesOf([
    {
      role: 'assistant',
      content: [
        { type: 'tool_call', id: 'a', name: 'f', input: {} },
        { type: 'tool_call', id: 'b', name: 'f', input: {} },
      ],
    },
    { role: 'tool', results: [result('a', [image]), result('b', [{ type: 'text', text: 'x' }])] },
  ]).map((message) => message.role);
  expect(roles).toEqual(['assistant', 'tool', 'tool', 'user']);
});

describe('an acceptable history', () => {
  test('invalid names and arguments are replaced', () => {
    verifies('F76');
    const names = ['read file!', '', 'x'.repeat(80)];
    const sent = names.map((name) => messagesOf([calls('a', name, 'not an object')])[0]);
    expect(sent).toMatchObject(
      ['read_file_', 'unnamed', 'x'.repeat(64)].map((name) => ({
        tool_calls: [{ function: { name, arguments: '{}' } }],
      })),
    );
  });

  test('thinking is omitted, except where endpoints require it', () => {
    const turn: ModelMessage = {
      role: 'assistant',
      content: [
        { type: 'thinking', text: 'Hm.' },
        { type: 'tool_call', id: 'a', name: 'f', input: {} },
      ],
    };
    expect(messagesOf([turn])[0]).not.toHaveProperty('reasoning_content');
    expect(messagesOf([turn], quirksOf('api.deepseek.com', 'm'))[0]).toMatchObject({ reasoning_content: 'Hm.' });
    expect(messagesOf([calls('a')], quirksOf('gateway.test', 'deepseek-v4'))[0]).toMatchObject({
      reasoning_content: '',
    });
  });
});

test('quirks depend on host and model', () => {
  expect(quirksOf('api.openai.com', 'gpt-5')).toEqual({
    tokenCap: 'max_completion_tokens',
    asksForUsage: true,
    returnsThinking: 'never',
    returnsDetails: false,
    returnsCallSignatures: false,
    marksCache: false,
    headers: {},
    effort: 'reasoning_effort',
  });
  expect(quirksOf('notopenai.com', 'm').tokenCap).toBe('max_tokens');
  expect(quirksOf('api.mistral.ai', 'm').asksForUsage).toBe(false);
  expect(quirksOf('api.moonshot.cn', 'm').returnsThinking).toBe('always');
  expect(quirksOf('api.z.ai', 'glm-4.7').returnsThinking).toBe('if-any');
  expect(
    toBody({ model: 'm', system: '', messages: [], tools: [] }, quirksOf('api.mistral.ai', 'm')),
  ).not.toHaveProperty('stream_options');
});

test.each([
  ['dashscope.aliyuncs.com', 'qwen3-coder-plus', true, { 'X-DashScope-CacheControl': 'enable' }],
  ['openrouter.ai', 'anthropic/claude-sonnet-4.5', true, {}],
  ['openrouter.ai', 'openrouter/auto', true, {}],
  ['openrouter.ai', 'openai/gpt-5', false, {}],
  ['localhost', 'qwen3', false, {}],
])('%s, %s: cache markers %s', (host, model, marksCache, headers) => {
  expect(quirksOf(host, model)).toMatchObject({ marksCache, headers });
  expect(quirksOf(host, model, 'off')).toMatchObject({ marksCache: false, headers: {} });
});

test('markers are on the system prompt, the end and the end of the request before', () => {
  const quirks = quirksOf('dashscope.aliyuncs.com', 'qwen-plus');
  const messages = [
    says('one'),
    calls('a'),
    { role: 'tool', results: [result('a', [{ type: 'text', text: 'done' }])] },
  ] as const;
  const body = toBody({ model: 'qwen-plus', system: 'Be brief.', messages, tools: [] }, quirks);
  const cached = { cache_control: { type: 'ephemeral' } };
  expect(body.messages).toMatchObject([
    { role: 'system', content: [{ type: 'text', text: 'Be brief.', ...cached }] },
    { role: 'user', content: [{ type: 'text', text: 'one', ...cached }] },
    { role: 'assistant', content: null },
    { role: 'tool', content: [{ type: 'text', text: 'done', ...cached }] },
  ]);
});

test('reasoning details and the signatures of Gemini go back to where they came from', () => {
  const details = [{ type: 'reasoning.text', text: 'Hm.', signature: 's', index: 0 }];
  const turn: ModelMessage = {
    role: 'assistant',
    content: [
      { type: 'thinking', text: 'Hm.', signature: `details:${JSON.stringify(details)}\n` },
      { type: 'tool_call', id: 'a', name: 'f', input: {}, signature: 'gemini-proof' },
    ],
  };
  expect(messagesOf([turn], quirksOf('openrouter.ai', 'google/gemini-3-pro'))[0]).toMatchObject({
    reasoning_details: details,
    tool_calls: [{ extra_content: { google: { thought_signature: 'gemini-proof' } } }],
  });
  const elsewhere = JSON.stringify(messagesOf([turn], quirksOf('api.openai.com', 'gpt-5')));
  expect(elsewhere).not.toMatch(/details|proof/);
});

test('a result of only an image has a text', () => {
  const content = [{ type: 'image' as const, mediaType: 'image/png', data: 'AAAA' }];
  const results = [{ callId: 'a', name: 'look', content, isError: false }];
  expect(messagesOf([calls('a', 'look'), { role: 'tool', results }])[1]).toMatchObject({
    content: 'The image follows.',
  });
});
