import { verifies } from '@qwen/testkit';
import { expect, test } from 'vitest';
import { readOutputLine } from './read-output-line.js';

const read = (line: unknown) => readOutputLine(JSON.stringify(line));

function withAnnotation(annotation: unknown): unknown {
  const found = read({ object: 'chat.completion.chunk', choices: [{ delta: { annotations: [annotation] } }] });
  if (found.kind !== 'chunk') throw new Error(JSON.stringify(found));
  return found.line.choices[0]?.delta.annotations?.[0];
}

test('reads spans and sequences of either document', () => {
  verifies('CF-11', 'CF-12');
  const annotation = {
    type: 'x-qwen-terminal',
    channel: 'stdout',
    source: 'assistant',
    spans: [{ start: 0, end: 4, style: { theme_token: 'AccentGreen' } }],
    ansi: [{ offset: 0, code: '\u001b[32m' }],
  };
  expect(withAnnotation(annotation)).toMatchObject({
    spans: [{ start_index: 0, end_index: 4, style: { theme_token: 'AccentGreen' } }],
    ansi: [{ offset: 0, sequence: '\u001b[32m' }],
  });
  expect(withAnnotation({ type: 'x-qwen-terminal', channel: 'stdout', source: 'tool' })).toMatchObject({ ansi: [] });
});

test.each([
  ['Executing', 'executing'],
  ['CONFIRMING', 'confirming'],
  ['cancelled', 'canceled'],
  ['resting', 'resting'],
])('the state %s is read as %s', (written, status) => {
  verifies('CF-15', 'CF-62');
  expect(withAnnotation({ type: 'x-qwen-tool-display', tool_call_id: 'c', status: written })).toMatchObject({ status });
});

test('time stamps in seconds become milliseconds', () => {
  verifies('CF-16');
  const at = (timestamp: number) =>
    withAnnotation({ type: 'x-qwen-tool-display', tool_call_id: 'c', status: 'success', timestamp });
  expect(at(1_739_430_005)).toMatchObject({ timestamp: 1_739_430_005_000 });
  expect(at(1_739_430_005_123)).toMatchObject({ timestamp: 1_739_430_005_123 });
});

test('reads session events in any case, as a line and as an annotation', () => {
  verifies('CF-18', 'CF-19');
  const event = { type: 'x-qwen-session-event', event: 'UserCancelled', message: 'm' };
  expect(read(event)).toMatchObject({ kind: 'session_event', line: { event: 'USER_CANCELLED' } });
  expect(withAnnotation({ ...event, event: 'max_tokens' })).toMatchObject({ event: 'MAX_TOKENS' });
  expect(withAnnotation({ ...event, event: 'Tomorrow' })).toMatchObject({ event: 'Tomorrow' });
});

test('action is another name for result', () => {
  verifies('CF-25');
  const line = { type: 'result/command', session_id: 's', command: { kind: 'slash', path: ['clear'] } };
  expect(read({ ...line, action: { type: 'handled' } })).toMatchObject({
    kind: 'command',
    line: { result: { type: 'handled' } },
  });
});

test('accepts usage beside the choices, a second choice, an empty delta, and calls without an index', () => {
  verifies('C-14', 'CF-06', 'CF-07', 'CF-08');
  const usage = { prompt_tokens: 1, completion_tokens: 2, total_tokens: 3 };
  const call = { id: 't', type: 'function', function: { name: 'f', arguments: '{}' } };
  const choices = [
    { index: 0, delta: {}, finish_reason: 'stop' },
    { index: 1, delta: { content: '' } },
  ];
  expect(read({ object: 'chat.completion.chunk', id: 'i', created: 1, model: 'm', choices, usage }).kind).toBe('chunk');
  expect(read({ object: 'chat.completion.chunk', choices: [{ delta: { tool_calls: [call] } }] }).kind).toBe('chunk');
});

test('distinguishes lines of other classes from those of none', () => {
  verifies('B-19', 'S-07', 'K-10', 'D-02');
  expect(read({ type: 'control_request', request_id: '1', subtype: 'interrupt' }).kind).toBe('control');
  expect(read({ type: 'result/tomorrow' })).toMatchObject({ kind: 'unknown', type: 'result/tomorrow' });
  expect(read({ object: 'chat.tomorrow' }).kind).toBe('invalid');
  expect(read({ error: 'boom' }).kind).toBe('invalid');
  expect(read({ object: 'chat.completion', choices: [], metadata: { mood: 'good' } }).kind).toBe('completion');
  expect(withAnnotation({ type: 'x-qwen-tomorrow', a: 1 })).toEqual({ type: 'x-qwen-tomorrow', a: 1 });
  expect(readOutputLine('Debugger attached.')).toMatchObject({ kind: 'invalid', error: { code: 'invalid_json' } });
});
