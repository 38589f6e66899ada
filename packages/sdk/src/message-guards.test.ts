import { isControlCancel, isControlRequest, isControlResponse } from '@qwen/protocol';
import { verifies } from '@qwen/testkit';
import { expect, test } from 'vitest';
import {
  isSDKAssistantMessage,
  isSDKPartialAssistantMessage,
  isSDKResultMessage,
  isSDKSystemMessage,
  isSDKUserMessage,
} from './message-guards.js';

const GUARDS = {
  user: isSDKUserMessage,
  assistant: isSDKAssistantMessage,
  system: isSDKSystemMessage,
  result: isSDKResultMessage,
  stream_event: isSDKPartialAssistantMessage,
  control_request: isControlRequest,
  control_response: isControlResponse,
  control_cancel_request: isControlCancel,
};

const ids = { uuid: 'u', session_id: 's' };
const SAMPLES = {
  user: { type: 'user', message: { role: 'user', content: 'x' } },
  assistant: { type: 'assistant', ...ids, message: { id: 'm', role: 'assistant', model: 'x', content: [] } },
  system: { type: 'system', ...ids, subtype: 'notice', data: { code: 'c', message: 'm' } },
  result: { type: 'result', ...ids, subtype: 'success', is_error: false, result: '', duration_ms: 1 },
  stream_event: { type: 'stream_event', ...ids, event: { type: 'message_stop' } },
  control_request: { type: 'control_request', request_id: '1', request: { subtype: 'interrupt' } },
  control_response: { type: 'control_response', response: { subtype: 'success', request_id: '1', response: null } },
  control_cancel_request: { type: 'control_cancel_request', request_id: '1' },
};

test.each(Object.entries(GUARDS))('the guard of %s knows its own kind and no other', (kind, guard) => {
  verifies('O-51');
  for (const [name, sample] of Object.entries(SAMPLES)) expect([name, guard(sample)]).toEqual([name, name === kind]);
});

test('members of init can be read from any system message', () => {
  const [notice, init]: unknown[] = [SAMPLES.system, { type: 'system', ...ids, subtype: 'init', tools: ['edit'] }];
  const tools = [notice, init].map((message) => (isSDKSystemMessage(message) ? message.tools : []));
  expect(tools).toEqual([undefined, ['edit']]);
});

test('no guard throws for any value', () => {
  verifies('O-51');
  const strange = [
    undefined,
    null,
    0,
    'user',
    [],
    {},
    { type: 'user' },
    { type: 'result' },
    Object.create(null),
    () => 0,
  ];
  for (const guard of Object.values(GUARDS)) for (const value of strange) expect(guard(value)).toBe(false);
});
