import type { ContentBlock, SDKMessage } from '@qwen/protocol';
import { expect, test } from 'vitest';
import { refuseImages, unwrapToolCalls } from './foreign-messages.js';

const assistant = (...content: ContentBlock[]): SDKMessage => ({
  type: 'assistant',
  uuid: 'u',
  session_id: 's',
  message: { id: 'm', type: 'message', role: 'assistant', model: 'x', content },
  parent_tool_use_id: null,
});

test('a wrapped call shows the tool that runs and keeps the name on the wire', () => {
  const text = { type: 'text', text: 'I add.' } as const;
  const input = { name: 'mcp__calc__sum', arguments: { a: 1 } };
  expect(unwrapToolCalls(assistant(text, { type: 'tool_use', id: 'c', name: 'tool_call', input }))).toEqual(
    assistant(text, { type: 'tool_use', id: 'c', name: 'mcp__calc__sum', input: { a: 1 }, raw_name: 'tool_call' }),
  );
});

test('other calls and incomplete wrappings stay unchanged', () => {
  for (const block of [
    { type: 'tool_use', id: 'c', name: 'read_file', input: { name: 'x', arguments: {} } },
    { type: 'tool_use', id: 'c', name: 'tool_call', input: '{"name":"mcp__ca' },
    { type: 'tool_use', id: 'c', name: 'tool_call', input: { name: 'x' } },
  ] as const) {
    expect(unwrapToolCalls(assistant(block))).toEqual(assistant(block));
  }
});

test('a message with an image is refused', () => {
  const source = { type: 'base64', media_type: 'image/png', data: 'aGk=' } as const;
  const text = { type: 'text', text: 'look' } as const;
  const say = (content: string | ContentBlock[]) => refuseImages({ type: 'user', message: { role: 'user', content } });
  expect(() => say([text, { type: 'image', source }])).toThrow(expect.objectContaining({ code: 'unsupported_by_cli' }));
  expect(() => say([text])).not.toThrow();
  expect(() => say('look')).not.toThrow();
});
