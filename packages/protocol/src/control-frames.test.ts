import { verifies } from '@qwen/testkit';
import * as fc from 'fast-check';
import { expect, test } from 'vitest';
import {
  type ControlFrame,
  isControlCancel,
  isControlRequest,
  isControlResponse,
  readControlFrame,
  toControlLine,
} from './control-frames.js';
import { AgentError } from './errors.js';

test.each([
  ['strict', { type: 'control_request', request_id: '1', request: { subtype: 'set_model', model: 'm' } }],
  ['flat', { type: 'control_request', request_id: '1', subtype: 'set_model', model: 'm' }],
  ['with a payload', { type: 'control_request', request_id: '1', subtype: 'set_model', payload: { model: 'm' } }],
])('a request is read in the %s form', (_form, line) => {
  verifies('J-15', 'J-19', 'J-24');
  expect(readControlFrame(line)).toEqual({
    kind: 'request',
    requestId: '1',
    subtype: 'set_model',
    payload: { model: 'm' },
  });
});

test('the nested request with a session id is read', () => {
  verifies('J-17');
  const line = {
    type: 'control_request',
    session_id: 'session-123',
    request_id: 'req-1',
    request: { subtype: 'confirm_shell_commands', commands: ['ls'] },
  };
  expect(readControlFrame(line)).toEqual({
    kind: 'request',
    requestId: 'req-1',
    subtype: 'confirm_shell_commands',
    payload: { commands: ['ls'] },
    sessionId: 'session-123',
  });
});

test.each([
  ['id and result outside', { request_id: '1', response: { subtype: 'success', result: { a: 1 } } }],
  ['id inside', { response: { subtype: 'success', request_id: '1', response: { a: 1 } } }],
  [
    'both at once',
    { request_id: '1', response: { subtype: 'success', request_id: '1', response: { a: 1 }, result: { a: 2 } } },
  ],
  ['verdict outside', { request_id: '1', subtype: 'success', response: { a: 1 } }],
])('an answer is read with %s', (_form, members) => {
  verifies('J-18', 'J-20', 'J-21', 'J-24');
  expect(readControlFrame({ type: 'control_response', ...members })).toEqual({
    kind: 'response',
    requestId: '1',
    ok: true,
    result: { a: 1 },
  });
});

test('an answer may be null, false or missing', () => {
  verifies('J-21');
  const read = (body: object) =>
    readControlFrame({ type: 'control_response', response: { subtype: 'success', request_id: '1', ...body } });
  expect(read({ response: null })).toMatchObject({ ok: true, result: null });
  expect(read({ response: false })).toMatchObject({ ok: true, result: false });
  expect(read({})).toMatchObject({ ok: true, result: null });
});

test.each([
  ['a string', 'boom', { code: 'handler_failed', message: 'boom' }],
  ['an object', { message: 'boom', code: 'timeout' }, { code: 'timeout', message: 'boom' }],
  [
    'a foreign code',
    { message: 'boom', code: 'E_X' },
    { code: 'handler_failed', message: 'boom', data: { code: 'E_X' } },
  ],
  ['nothing', undefined, { code: 'handler_failed' }],
  ['an object without message', { code: 1 }, { code: 'handler_failed' }],
])('an error body that is %s is read', (_form, error, expected) => {
  verifies('J-22', 'M-06', 'O-15', 'CF-34');
  const frame = readControlFrame({
    type: 'control_response',
    response: { subtype: 'error', request_id: '1', error },
  });
  expect(frame).toMatchObject({ kind: 'response', requestId: '1', ok: false, error: expected });
});

test('an answer that is neither success nor error fails its request', () => {
  for (const response of [{ behavior: 'allow' }, null, 'success', { subtype: 'maybe' }]) {
    const frame = readControlFrame({ type: 'control_response', request_id: '1', response });
    expect(frame).toMatchObject({ requestId: '1', ok: false, error: { code: 'invalid_payload' } });
  }
});

test('verdicts under two names must agree', () => {
  verifies('S87');
  const read = (result: string, response: string) =>
    readControlFrame({
      type: 'control_response',
      response: {
        subtype: 'success',
        request_id: '1',
        result: { behavior: result },
        response: { behavior: response },
      },
    });
  expect(read('approve', 'allow')).toMatchObject({ ok: true, result: { behavior: 'allow' } });
  expect(read('deny', 'allow')).toMatchObject({ ok: false, error: { code: 'invalid_payload' } });
});

test('IDs are missing or present, never false', () => {
  verifies('T9');
  const request = (requestId: unknown) =>
    readControlFrame({ type: 'control_request', request_id: requestId, request: { subtype: 'interrupt' } });
  expect(request('')).toMatchObject({ requestId: '' });
  expect(request(0)).toMatchObject({ requestId: '0' });
  expect(readControlFrame({ type: 'control_cancel_request', request_id: 0 })).toEqual({
    kind: 'cancel',
    requestId: '0',
  });
  for (const bad of [undefined, null, {}, true]) {
    expect(request(bad)).toMatchObject({ code: 'invalid_message', message: expect.stringContaining('request_id') });
  }
});

test('two different IDs in one answer are refused', () => {
  const line = { type: 'control_response', request_id: '1', response: { subtype: 'success', request_id: '2' } };
  expect(readControlFrame(line)).toMatchObject({ code: 'invalid_message' });
});

test('a withdrawal names its request or means all', () => {
  verifies('J-23');
  expect(readControlFrame({ type: 'control_cancel_request', request_id: '1' })).toEqual({
    kind: 'cancel',
    requestId: '1',
  });
  expect(readControlFrame({ type: 'control_cancel_request' })).toEqual({ kind: 'cancel', requestId: undefined });
});

test('written lines have the strict form', () => {
  verifies('J-19', 'J-20', 'J-21', 'J-22', 'J-23');
  const frames: ControlFrame[] = [
    { kind: 'request', requestId: 'a', subtype: 'set_model', payload: { model: 'm', subtype: 'forged' } },
    { kind: 'response', requestId: 'a', ok: true, result: undefined },
    { kind: 'response', requestId: 'a', ok: false, error: new AgentError('timeout', 'late') },
    { kind: 'cancel', requestId: 'a' },
    { kind: 'cancel', requestId: undefined },
  ];
  expect(frames.map(toControlLine)).toEqual([
    { type: 'control_request', request_id: 'a', request: { subtype: 'set_model', model: 'm' } },
    { type: 'control_response', response: { subtype: 'success', request_id: 'a', response: null } },
    {
      type: 'control_response',
      response: {
        subtype: 'error',
        request_id: 'a',
        error: { message: 'late', code: 'timeout', retryable: true },
      },
    },
    { type: 'control_cancel_request', request_id: 'a' },
    { type: 'control_cancel_request' },
  ]);
});

test('the guards and the reader accept any value', () => {
  verifies('O-51');
  const anything = fc.oneof(
    fc.anything(),
    fc.record(
      {
        type: fc.constantFrom('control_request', 'control_response', 'control_cancel_request'),
        request_id: fc.anything(),
        request: fc.anything(),
        response: fc.oneof(
          fc.anything(),
          fc.record({ subtype: fc.constantFrom('success', 'error'), error: fc.anything() }),
        ),
        payload: fc.anything(),
      },
      { requiredKeys: ['type'] },
    ),
  );
  fc.assert(
    fc.property(anything, (value) => {
      const isControl = [isControlRequest(value), isControlResponse(value), isControlCancel(value)].includes(true);
      const read =
        typeof value === 'object' && value !== null ? readControlFrame(value) : new AgentError('internal', '');
      expect(isControl || AgentError.is(read)).toBe(true);
    }),
  );
  expect(isControlRequest({ type: 'control_request' })).toBe(true);
  expect(isControlResponse({ type: 'control_response' })).toBe(true);
  expect(isControlCancel({ type: 'control_cancel_request' })).toBe(true);
});
