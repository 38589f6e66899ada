import { verifies } from '@qwen/testkit';
import { expect, test } from 'vitest';
import { type InputLine, readInputLine } from './read-input-line.js';

const read = (line: unknown): InputLine => readInputLine(JSON.stringify(line));
const text = (words: string) => ({ type: 'text', text: words });
const user = (parts: unknown) => ({ input: { origin: 'user', parts } });

function requestOf(line: unknown): object {
  const found = read(line);
  if (found.kind !== 'chat') throw new Error(JSON.stringify(found));
  return found.request;
}

test('a line with a type is never a chat request, a line without one may be', () => {
  verifies('CF-22');
  expect(read({ type: 'heartbeat_request', input: {} })).toMatchObject({ kind: 'typed' });
  expect(read({ type: 'user', message: { role: 'user', content: 'x' } })).toMatchObject({ kind: 'message' });
  expect(read({ type: 'control_request', request_id: '1', request: { subtype: 'interrupt' } }).kind).toBe('control');
  expect(read({ type: 'tomorrow', input: {} })).toMatchObject({ kind: 'unknown', type: 'tomorrow' });
  expect(read(user([])).kind).toBe('chat');
  expect(read({ messages: [{ role: 'user', content: 'x' }] }).kind).toBe('chat');
  expect(read({ session_id: 's' })).toMatchObject({ kind: 'invalid', error: { code: 'invalid_message' } });
  expect(readInputLine('{')).toMatchObject({ kind: 'invalid', error: { code: 'invalid_json' } });
});

test.each([
  ['a text', 'hello'],
  ['an object of text', { text: 'hello' }],
  ['a list of texts', ['hello']],
  ['typed parts', [text('hello')]],
])('parts may be %s', (_what, parts) => {
  verifies('E-15');
  expect(requestOf(user(parts))).toMatchObject({ input: { origin: 'user', parts: [text('hello')] } });
});

test('reads parts in the form of @google/genai', () => {
  verifies('E-15', 'E-13');
  const parts = [
    { functionResponse: { id: 'c', name: 'f', response: { output: 1 } } },
    { inlineData: { mimeType: 'image/png', data: 'AA==' } },
    { fileData: { fileUri: 'file:///a.md', mimeType: 'text/markdown' } },
    { type: 'text' },
    { executableCode: { code: '1' } },
  ];
  const line = { tool_call_id: 'c', input: { origin: 'tool_response', parts: parts.slice(0, 4) } };
  expect(requestOf(line)).toMatchObject({
    input: {
      parts: [
        { type: 'function_response', function_response: { id: 'c', response: { output: 1 } } },
        { type: 'inline_data', inline_data: { mime_type: 'image/png' } },
        { type: 'file_data', file_data: { file_uri: 'file:///a.md', mime_type: 'text/markdown' } },
        text(''),
      ],
    },
  });
  expect(read(user(parts.slice(4)))).toMatchObject({ kind: 'invalid' });
});

test('the origin is derived from the parts', () => {
  verifies('E-11');
  expect(requestOf({ input: { parts: [text('x')] } })).toMatchObject({ input: { origin: 'user' } });
  expect(requestOf({ input: { parts: [] }, tool_call_id: 'c' })).toMatchObject({ input: { origin: 'tool_response' } });
  expect(requestOf({ input: { parts: [] }, origin: 'system' })).toMatchObject({ input: { origin: 'system' } });
  expect(requestOf({ tool_request: { name: 'glob' } })).toMatchObject({ input: { origin: 'user', parts: [] } });
});

test('in the messages form the last one is new, the others are history', () => {
  verifies('E-30', 'CF-21');
  const messages = [
    { role: 'system', content: 'be brief' },
    { role: 'assistant', content: null, tool_calls: [{ id: 'c', function: { name: 'f', arguments: '{}' } }] },
    { role: 'user', content: [text('look '), { type: 'image_url', image_url: { url: 'data:image/png;base64,AA==' } }] },
  ];
  expect(read({ model: 'm', temperature: 0.1, top_logprobs: 3, messages })).toMatchObject({
    kind: 'chat',
    request: {
      model: 'm',
      options: { temperature: 0.1 },
      input: {
        origin: 'user',
        parts: [text('look '), { type: 'inline_data', inline_data: { mime_type: 'image/png', data: 'AA==' } }],
      },
    },
    history: messages.slice(0, 2),
  });
  expect(read({ messages: [{ role: 'tool', tool_call_id: 'c', content: 'done' }] })).toMatchObject({
    kind: 'chat',
    request: {
      tool_call_id: 'c',
      input: {
        origin: 'tool_response',
        parts: [{ type: 'function_response', function_response: { id: 'c', response: 'done' } }],
      },
    },
    history: [],
  });
});

test.each([
  ['a tool response without its call', { input: { origin: 'tool_response', parts: [] } }, 'request.tool_call_id'],
  ['an unknown origin', { input: { origin: 'host', parts: [] } }, 'request.input.origin'],
  ['a part that is none', user([7]), 'request.input.parts.0'],
  ['a type that is no word, whatever else there is', { type: 7, input: { parts: [] } }, 'type'],
  ['no messages', { messages: [] }, 'request.messages'],
  ['an answer at the end', { messages: [{ role: 'assistant', content: 'x' }] }, 'request.messages.0.role'],
  ['a result of no call', { messages: [{ role: 'tool', content: 'x' }] }, 'request.messages.0.tool_call_id'],
  ['a temperature in words', { ...user('x'), options: { temperature: 'hot' } }, 'request.options.temperature'],
  [
    'a trigger of tomorrow',
    { type: 'command_hint_request', trigger: 'hash', text: '#' },
    'command_hint_request.trigger',
  ],
])('%s is refused with its location', (_what, line, place) => {
  verifies('E-22');
  expect(read(line)).toMatchObject({
    kind: 'invalid',
    error: { code: 'invalid_message', message: expect.stringContaining(place) },
  });
});

test('unknown members pass, and null means missing', () => {
  verifies('E-18');
  const line = { session_id: null, options: null, mood: 'good', input: { origin: 'user', parts: [], command: null } };
  expect(requestOf(line)).toMatchObject({ mood: 'good', input: { command: null } });
});
