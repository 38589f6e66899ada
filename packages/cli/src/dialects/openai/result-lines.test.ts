import { encodeLine } from '@qwen/protocol';
import { readOutputLine } from '@qwen/protocol/openai';
import { verifies } from '@qwen/testkit';
import { expect, test } from 'vitest';
import { createLineClock } from './line-clock.js';
import type { LineOrigin } from './line-parts.js';
import { cancelLine, commandLine, heartbeatLine, sessionEventLine } from './result-lines.js';

const ORIGIN: LineOrigin = {
  format: 'message',
  clock: createLineClock(() => 1_739_430_123_456),
  sessionId: 'session-123',
  promptId: 'session-123########8',
  model: 'qwen-coder',
};
const { promptId: _promptId, ...BETWEEN } = ORIGIN;

const kindOf = (line: object) => readOutputLine(encodeLine(line).trimEnd()).kind;

test('the result of a command is written with and without the command', () => {
  verifies('F-15', 'CF-25', 'B-19');
  const result = { type: 'message', level: 'info', content: 'Current session contains 3 saved checkpoints.' } as const;
  const line = commandLine(ORIGIN, result, { kind: 'slash', path: ['chat', 'list'], args: '' });
  expect(line).toEqual({
    type: 'result/command',
    session_id: 'session-123',
    prompt_id: 'session-123########8',
    command: { kind: 'slash', path: ['chat', 'list'], args: '' },
    result,
  });
  expect(kindOf(line)).toBe('command');
  expect(commandLine(BETWEEN, result)).toEqual({ type: 'result/command', session_id: 'session-123', result });
});

test('a heartbeat contains the time in seconds', () => {
  verifies('H-02', 'CF-17');
  const line = heartbeatLine(BETWEEN);
  expect(line).toEqual({ type: 'result/heartbeat', session_id: 'session-123', status: 'ok', ts: 1_739_430_123 });
  expect(kindOf(line)).toBe('heartbeat');
});

test('the result of a cancel has the exact text', () => {
  verifies('CF-29');
  expect(cancelLine(ORIGIN, { status: 'ok' })).toEqual({
    type: 'result/cancel',
    session_id: 'session-123',
    prompt_id: 'session-123########8',
    status: 'ok',
    message: 'Request cancelled.',
  });
  const line = cancelLine(BETWEEN, { status: 'noop', message: 'Nothing runs.', reason: 'boredom' });
  expect(line).toEqual({
    type: 'result/cancel',
    session_id: 'session-123',
    status: 'noop',
    message: 'Nothing runs.',
    reason: 'boredom',
  });
  expect(kindOf(line)).toBe('cancel');
});

test('session events include the ID of their session', () => {
  verifies('CF-19', 'D-36');
  const line = sessionEventLine(BETWEEN, { event: 'USER_CANCELLED', message: 'User cancelled the request.' });
  expect(line).toMatchObject({ type: 'x-qwen-session-event', event: 'USER_CANCELLED', session_id: 'session-123' });
  expect(line).not.toHaveProperty('metrics');
  expect(kindOf(line)).toBe('session_event');
});
