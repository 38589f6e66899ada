import { verifies } from '@qwen/testkit';
import { expect, test } from 'vitest';
import { readControlFrame } from '../control-frames.js';
import { AgentError } from '../errors.js';
import { toOpenAiControlLine } from './control-lines.js';

const origin = { sessionId: 's', promptId: 's########1' };

test('a question has the members of all three documents', () => {
  verifies('CF-31', 'CF-33');
  const payload = { tool_name: 'edit', tool_use_id: 'c', input: { file_path: 'a' }, reason: 'outside' };
  const line = toOpenAiControlLine({ kind: 'request', requestId: 'r', subtype: 'can_use_tool', payload }, origin);
  expect(line).toEqual({
    type: 'control_request',
    request_id: 'r',
    session_id: 's',
    prompt_id: 's########1',
    subtype: 'can_use_tool',
    request: { subtype: 'can_use_tool', ...payload },
    tool: { name: 'edit', arguments: { file_path: 'a' } },
    metadata: { reason: 'outside' },
  });
  expect(readControlFrame(line)).toMatchObject({ kind: 'request', requestId: 'r', subtype: 'can_use_tool', payload });
});

test('an answer contains the verdict under both names, and its ID in both places', () => {
  verifies('CF-31', 'CF-32');
  const result = { behavior: 'allow', updatedInput: null };
  const line = toOpenAiControlLine({ kind: 'response', requestId: 'r', ok: true, result }, origin);
  expect(line).toMatchObject({
    request_id: 'r',
    response: { subtype: 'success', request_id: 'r', response: result, result: { behavior: 'approve' } },
  });
  expect(readControlFrame(line)).toEqual({ kind: 'response', requestId: 'r', ok: true, result });
});

test('an error is an object with its message and whether to retry', () => {
  verifies('CF-34');
  const error = new AgentError('timeout', 'nobody answered');
  const line = toOpenAiControlLine({ kind: 'response', requestId: 'r', ok: false, error }, { sessionId: 's' });
  expect(line).toEqual({
    type: 'control_response',
    session_id: 's',
    request_id: 'r',
    response: {
      subtype: 'error',
      request_id: 'r',
      error: { message: 'nobody answered', code: 'timeout', retryable: true },
    },
  });
});
