import { AgentError } from '@qwen/protocol';
import { verifies } from '@qwen/testkit';
import { expect, test } from 'vitest';
import { toThrownError } from './thrown-error.js';

const withCode = (code: string) => Object.assign(new Error(code), { code });

test('a wrapped AgentError is returned unchanged', () => {
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

test.for([
  ['ECONNREFUSED', 'Could not connect to http://host/v1 (ECONNREFUSED). Is the server running?'],
  ['ENOTFOUND', 'Could not resolve the host of http://host/v1 (ENOTFOUND). Check the base URL and your network.'],
  [
    'SELF_SIGNED_CERT_IN_CHAIN',
    'http://host/v1 has an untrusted certificate (SELF_SIGNED_CERT_IN_CHAIN). For a private CA, set NODE_EXTRA_CA_CERTS.',
  ],
  ['ECONNRESET', 'The connection to http://host/v1 failed (ECONNRESET). Check your network or try again.'],
] as const)('the message for %s names the endpoint and the next step', ([systemCode, message]) => {
  expect(toThrownError(withCode(systemCode), 'http://host/v1').message).toBe(message);
});

test.for(['CERT_HAS_EXPIRED', 'ERR_TLS_CERT_ALTNAME_INVALID', 'DEPTH_ZERO_SELF_SIGNED_CERT'])(
  '%s is not retried',
  (systemCode) => {
    expect(toThrownError(withCode(systemCode), 'https://host/v1')).toMatchObject({
      code: 'network_unavailable',
      message: expect.not.stringContaining('Check your network'),
      data: { permanent: true },
    });
  },
);

test('a server without TLS is named', () => {
  const message =
    'https://host/v1 does not answer with TLS (EPROTO). If the server only speaks HTTP, use http:// in the base URL.';
  expect(toThrownError(withCode('EPROTO'), 'https://host/v1').message).toBe(message);
});

test('errors for each address of a host count as one network error', () => {
  verifies('F65');
  const cause = new AggregateError([withCode('ECONNREFUSED'), withCode('ENETUNREACH')]);
  expect(toThrownError(new TypeError('fetch failed', { cause }))).toMatchObject({
    code: 'network_unavailable',
    data: { systemCode: 'ECONNREFUSED' },
  });
});

test('circular causes are supported', () => {
  const error = new Error('round');
  error.cause = error;
  expect(toThrownError(error).code).toBe('internal');
});

test('the cause is dropped, because it may contain request headers', () => {
  verifies('S106');
  const cause = Object.assign(new Error('x'), { headers: { authorization: 'Bearer sk-canary' } });
  expect(toThrownError(new Error('y', { cause })).cause).toBeUndefined();
});
