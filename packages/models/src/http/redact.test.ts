import { AgentError } from '@qwen/protocol';
import { verifies } from '@qwen/testkit';
import { expect, test } from 'vitest';
import { createRedact, secretsOf } from './redact.js';

test('errors contain no key, header values or query of the base URL', () => {
  verifies('S106');
  const redact = createRedact(
    secretsOf({
      apiKey: 'sk-canary-1',
      headers: { Authorization: 'Bearer sk-canary-2', 'x-key': 'sk-canary-3' },
      baseUrl: 'https://x.test/v1?token=sk-canary-4',
    }),
  );
  const message = 'sk-canary-1, sk-canary-2, Bearer sk-canary-2, sk-canary-3 and https://x.test/v1?token=sk-canary-4';
  const error = redact(
    new AgentError('auth_failed', message, { cause: new Error(message), data: { requestId: message, status: 401 } }),
  );
  expect(error).toMatchObject({ code: 'auth_failed', data: { status: 401 } });
  expect(`${error.message} ${error.stack} ${JSON.stringify(error.data)} ${String(error.cause)}`).not.toContain(
    'canary',
  );
});

test('short values are not redacted', () => {
  const redact = createRedact(secretsOf({ apiKey: 'none', headers: { 'x-mode': 'on' } }));
  expect(redact(new AgentError('internal', 'none of it is on')).message).toBe('none of it is on');
});
