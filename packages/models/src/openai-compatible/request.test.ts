import { verifies } from '@qwen/testkit';
import { describe, expect, test } from 'vitest';
import type { ModelMessage, ModelRequest, ToolResultPart } from '../parts.js';
import { quirksOf, toBody } from './request.js';

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
    returnsThinking: false,
    effort: 'reasoning_effort',
  });
  expect(quirksOf('notopenai.com', 'm').tokenCap).toBe('max_tokens');
  expect(quirksOf('api.mistral.ai', 'm').asksForUsage).toBe(false);
  expect(quirksOf('api.moonshot.cn', 'm').returnsThinking).toBe(true);
  expect(
    toBody({ model: 'm', system: '', messages: [], tools: [] }, quirksOf('api.mistral.ai', 'm')),
  ).not.toHaveProperty('stream_options');
});
