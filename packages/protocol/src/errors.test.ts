import { verifies } from '@qwen/testkit';
import { expect, test, vi } from 'vitest';
import { AgentError, ERROR_CODES, type ErrorCode, fromWireError, toWireError } from './errors.js';

test('exit codes other than 1 are pinned', () => {
  const exits = Object.entries(ERROR_CODES).filter(([, { exitCode }]) => exitCode !== 1);
  expect(Object.fromEntries(exits.map(([code, { exitCode }]) => [code, exitCode]))).toEqual({
    usage: 2,
    invalid_options: 2,
    sandbox_unavailable: 2,
    unsupported_protocol: 3,
    unsupported_node: 4,
    aborted: 130,
    interrupted: 130,
    invalid_settings: 2,
  });
});

test('retryable codes are pinned', () => {
  const retryable = Object.entries(ERROR_CODES).filter(([, row]) => row.retryable);
  expect(retryable.map(([code]) => code)).toEqual([
    'timeout',
    'overloaded',
    'process_exited',
    'rate_limited',
    'provider_error',
    'network_unavailable',
    'stream_interrupted',
    'stream_stalled',
    'bad_model_response',
    'storage_unreachable',
    'server_unreachable',
    'shutting_down',
    'quota_exceeded',
  ]);
});

test('every code has a description and an HTTP status', () => {
  for (const { meaning, httpStatus } of Object.values(ERROR_CODES)) {
    expect(meaning).toMatch(/^[A-Z].*\.$/);
    expect(httpStatus).toBeGreaterThanOrEqual(400);
  }
});

test('an error is recognised across two copies of the package', async () => {
  verifies('T28');
  vi.resetModules();
  const copy = await import('./errors.js');
  const foreign = new copy.AgentError('timeout', 'late');
  expect([foreign instanceof AgentError, AgentError.is(foreign)]).toEqual([true, true]);
  class Narrower extends AgentError {}
  expect(foreign instanceof Narrower).toBe(false);
  expect(AgentError.from(foreign)).toBe(foreign);
  for (const other of [null, undefined, 'timeout', {}, new Error('timeout')]) expect(AgentError.is(other)).toBe(false);
});

test('a code of a newer program is not retryable', () => {
  const newer = new AgentError('from_the_future' as ErrorCode, 'new');
  expect(newer.retryable).toBe(false);
});

test('any thrown value becomes an error with a code and its cause', () => {
  const thrown = new TypeError('no');
  expect(AgentError.from(thrown)).toMatchObject({ name: 'AgentError', code: 'internal', message: 'no', cause: thrown });
  expect(AgentError.from('no', 'tool_failed')).toMatchObject({ code: 'tool_failed', message: 'no', cause: 'no' });
});

test('the wire form has message, code, retryable and data, never a stack', () => {
  verifies('J-10');
  const error = new AgentError('overloaded', 'busy', { cause: new Error('secret'), data: { limit: 1 } });
  expect(toWireError(error)).toEqual({ message: 'busy', code: 'overloaded', retryable: true, data: { limit: 1 } });
  expect(fromWireError(toWireError(error))).toMatchObject({ code: 'overloaded', message: 'busy', data: { limit: 1 } });
  expect(toWireError(new AgentError('usage', 'bad'))).toEqual({ message: 'bad', code: 'usage', retryable: false });
});

test('a foreign code is kept as data', () => {
  expect(fromWireError({ message: 'm', code: 'E_X' })).toMatchObject({ code: 'handler_failed', data: { code: 'E_X' } });
  expect(fromWireError({ message: 'm', code: 'toString' }, 'internal')).toMatchObject({ code: 'internal' });
  expect(fromWireError('text', 'internal')).toMatchObject({ code: 'internal', message: 'text' });
});
