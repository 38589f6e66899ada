import { verifies } from '@qwen/testkit';
import { expect, test } from 'vitest';
import { type ControlFrame, readControlFrame } from '../control-frames.js';
import { AgentError } from '../errors.js';
import { toSupersetLine } from './control-superset.js';

const QUESTION: ControlFrame = {
  kind: 'request',
  requestId: 'req-1',
  subtype: 'can_use_tool',
  payload: { tool_name: 'edit', tool_use_id: 'call_1', input: { path: 'a' }, reason: 'It changes a file.' },
  sessionId: 'session-123',
  promptId: 'session-123########8',
};

test('a question has the envelope of 001, the flat copies of 000 and the members of 003', () => {
  verifies('CF-31', 'CF-33', 'J-15', 'J-16', 'J-17');
  expect(toSupersetLine(QUESTION)).toEqual({
    type: 'control_request',
    request_id: 'req-1',
    subtype: 'can_use_tool',
    session_id: 'session-123',
    prompt_id: 'session-123########8',
    tool: { name: 'edit', arguments: { path: 'a' } },
    metadata: { reason: 'It changes a file.' },
    request: {
      subtype: 'can_use_tool',
      tool_name: 'edit',
      tool_use_id: 'call_1',
      input: { path: 'a' },
      reason: 'It changes a file.',
    },
  });
});

test('an answer has its id and its result in both places, a verdict in the words of both', () => {
  verifies('CF-31', 'CF-32');
  const result = { behavior: 'allow', message: 'fine' };
  expect(toSupersetLine({ kind: 'response', requestId: 'req-1', ok: true, result })).toEqual({
    type: 'control_response',
    request_id: 'req-1',
    response: {
      subtype: 'success',
      request_id: 'req-1',
      response: result,
      result: { behavior: 'approve', message: 'fine' },
    },
  });
});

test('an error is an object with a message and whether to try again', () => {
  verifies('CF-34');
  const error = new AgentError('timeout', 'Nobody answered.');
  expect(toSupersetLine({ kind: 'response', requestId: 'req-1', ok: false, error })).toMatchObject({
    request_id: 'req-1',
    response: { subtype: 'error', request_id: 'req-1', error: { message: 'Nobody answered.', retryable: true } },
  });
});

test.each<ControlFrame>([
  QUESTION,
  { kind: 'response', requestId: 'r', ok: true, result: null },
  { kind: 'response', requestId: 'r', ok: true, result: { behavior: 'deny', message: 'no' } },
  { kind: 'cancel', requestId: 'r' },
  { kind: 'cancel', requestId: undefined },
])('our own reader takes it for what it was: %j', (frame) => {
  verifies('J-24');
  expect(readControlFrame(toSupersetLine(frame))).toEqual(frame);
});
