import type { ChatRequest, CommandDescriptor } from '@qwen/protocol/openai';
import { verifies } from '@qwen/testkit';
import { expect, test } from 'vitest';
import { planInput } from './plan-input.js';

const text = (words: string) => ({ type: 'text', text: words }) as const;
const user = (...parts: ChatRequest['input']['parts']): ChatRequest => ({ input: { origin: 'user', parts } });

test('text parts are joined in order', () => {
  verifies('E-12', 'E-16', 'S-20');
  expect(planInput(user(text('Hello '), text('world')))).toEqual({
    kind: 'prompt',
    content: 'Hello world',
    references: [],
  });
});

test('images are attached, local files are references, files of the web are images', () => {
  verifies('E-15');
  const plan = planInput(
    user(
      text('Look'),
      { type: 'inline_data', inline_data: { mime_type: 'image/png', data: 'AA==' } },
      { type: 'file_data', file_data: { file_uri: 'file:///w/a%20b.ts' } },
      { type: 'file_data', file_data: { file_uri: 'https://example.com/a.png' } },
    ),
  );
  expect(plan).toEqual({
    kind: 'prompt',
    content: [
      { type: 'text', text: 'Look' },
      { type: 'image', source: { type: 'base64', media_type: 'image/png', data: 'AA==' } },
      { type: 'image', source: { type: 'url', url: 'https://example.com/a.png' } },
    ],
    references: [{ original: 'file:///w/a%20b.ts', resolved: '/w/a b.ts' }],
  });
});

test('text that begins with a slash or a question mark may be a command', () => {
  verifies('F-01');
  for (const line of ['/help', '?', ' /help']) {
    expect(planInput(user(text(line)))).toMatchObject({ kind: 'command', command: { line } });
  }
  expect(planInput(user(text('a /b')))).toMatchObject({ kind: 'prompt' });
});

test('an explicit command takes precedence over the text', () => {
  verifies('F-06', 'F-12', 'CF-24');
  const command: CommandDescriptor = { kind: 'slash', path: ['chat', 'list'], args: 'x' };
  for (const words of ['', '/chat list']) {
    const plan = planInput({ input: { origin: 'user', parts: [text(words)], command } });
    expect(plan).toEqual({ kind: 'command', command: { path: ['chat', 'list'], args: 'x', approvedCommands: [] } });
  }
});

test('the answer to a confirmation may be in the command or next to it', () => {
  verifies('GAP-25', 'F-27');
  const answer: Pick<ChatRequest, 'approvedCommands' | 'confirmationOutcome'> = {
    approvedCommands: ['ls'],
    confirmationOutcome: 'proceed_once',
  };
  const inside = planInput({
    input: { origin: 'user', parts: [], command: { kind: 'slash', path: ['x'], ...answer } },
  });
  const beside = planInput({ input: { origin: 'user', parts: [text('/x')] }, ...answer });
  expect([inside, beside]).toMatchObject([{ command: answer }, { command: answer }]);
});

test('an explicit at command is a prompt with its references', () => {
  verifies('F-10', 'F-11');
  const references = [{ original: '@src/main.py', resolved: 'src/main.py' }];
  const plan = planInput({ input: { origin: 'user', parts: [text('Look')], command: { kind: 'at', references } } });
  expect(plan).toEqual({ kind: 'prompt', content: 'Look', references });
});

test('a system message is an instruction or a note', () => {
  verifies('E-14', 'E-17');
  const system = (...parts: ChatRequest['input']['parts']): ChatRequest => ({ input: { origin: 'system', parts } });
  expect(planInput(system({ type: 'instruction', text: '/clear' }))).toMatchObject({
    kind: 'command',
    command: { line: '/clear' },
  });
  expect(planInput(system(text('/clear is a word')))).toEqual({ kind: 'note', text: '/clear is a word' });
});

test.each([
  ['text', { response: 'fine' }, { content: 'fine', isError: false }],
  ['its output', { response: { output: 'fine' } }, { content: 'fine', isError: false }],
  ['its error', { response: { error: 'broken' } }, { content: 'broken', isError: true }],
  ['an object', { response: { a: 1 } }, { content: '{"a":1}', isError: false }],
])('a tool response that is %s', (_name, response, result) => {
  verifies('E-13');
  const parts = [{ type: 'function_response', function_response: response }] as const;
  const plan = planInput({ tool_call_id: 'call_1', input: { origin: 'tool_response', parts: [...parts] } });
  expect(plan).toEqual({ kind: 'tool_response', callId: 'call_1', result });
});

test('a tool request is client-initiated unless it states otherwise', () => {
  verifies('E-24');
  const tool_request = { name: 'read_file', args: { file_path: 'a' }, callId: 'c' };
  expect(planInput({ ...user(), tool_request })).toEqual({
    kind: 'tool_run',
    name: 'read_file',
    input: { file_path: 'a' },
    callId: 'c',
    isClientInitiated: true,
  });
});

test.each([
  ['nothing to say', user(text(''))],
  ['no name of a command', { input: { origin: 'user', parts: [], command: { kind: 'slash' } } } as const],
  ['data that are no image', user({ type: 'inline_data', inline_data: { mime_type: 'text/plain', data: '' } })],
  ['an answer without its call', { input: { origin: 'tool_response', parts: [] } } as const],
])('%s is refused', (_name, request) => {
  verifies('GAP-12', 'E-22');
  expect(() => planInput({ ...request, input: { ...request.input, parts: [...request.input.parts] } })).toThrow(
    expect.objectContaining({ code: 'invalid_message' }),
  );
});
