import { AgentError } from '@qwen/protocol';
import { verifies } from '@qwen/testkit';
import { expect, test } from 'vitest';
import { toThrownError } from './thrown-error.js';

const withCode = (code: string) => Object.assign(new Error(code), { code });

test('a typed error comes out of whatever wraps it', () => {
  const typed = new AgentError('rate_limited', 'slow down');
  expect(
    toThrownError(new Error('Connection error.', { cause: new TypeError('fetch failed', { cause: typed }) })),
  ).toBe(typed);
});

test.for([
  ['ENOTFOUND', 'network_unavailable'],
  ['EAI_AGAIN', 'network_unavailable'],
  ['ENETUNREACH', 'network_unavailable'],
  ['UND_ERR_CONNECT_TIMEOUT', 'network_unavailable'],
  ['CERT_HAS_EXPIRED', 'network_unavailable'],
  ['UND_ERR_HEADERS_TIMEOUT', 'timeout'],
  ['UND_ERR_BODY_TIMEOUT', 'stream_stalled'],
  ['ENOENT', 'internal'],
  ['UND_ERR_INVALID_ARG', 'internal'],
] as const)('%s is %s', ([systemCode, code]) => {
  verifies('F65');
  expect(toThrownError(new TypeError('fetch failed', { cause: withCode(systemCode) })).code).toBe(code);
});

test('one error for each address of a host is still an unreachable host', () => {
  verifies('F65');
  const cause = new AggregateError([withCode('ECONNREFUSED'), withCode('ENETUNREACH')]);
  expect(toThrownError(new TypeError('fetch failed', { cause }))).toMatchObject({
    code: 'network_unavailable',
    data: { systemCode: 'ECONNREFUSED' },
  });
});

test('causes may go round in a circle', () => {
  const error = new Error('round');
  error.cause = error;
  expect(toThrownError(error).code).toBe('internal');
});

test('the cause is not kept: it may hold the headers of the request', () => {
  verifies('S106');
  const cause = Object.assign(new Error('x'), { headers: { authorization: 'Bearer sk-canary' } });
  expect(toThrownError(new Error('y', { cause })).cause).toBeUndefined();
});
