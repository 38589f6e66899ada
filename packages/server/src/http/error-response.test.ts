import { AgentError } from '@qwen/protocol';
import { verifies } from '@qwen/testkit';
import { expect, test } from 'vitest';
import { startServer } from '../../test/http-server.js';
import { errorResponse } from './error-response.js';

test('client errors are described', async () => {
  const answer = errorResponse(new AgentError('invalid_cursor', 'The session has not reached event 9.'));
  expect(answer.status).toBe(400);
  expect(answer.headers.get('content-type')).toBe('application/json; charset=utf-8');
  expect(answer.headers.get('x-content-type-options')).toBe('nosniff');
  expect(await answer.json()).toEqual({
    error: { message: 'The session has not reached event 9.', code: 'invalid_cursor', retryable: false },
  });
});

test('internal errors have an ID and a hidden message', async () => {
  const faults: [string, unknown][] = [];
  const thrown = [
    new Error('at /home/me/secret.js:1'),
    'sk-secret',
    new AgentError('storage_unwritable', '/home/me/x'),
  ];
  for (const each of thrown) {
    const answer = errorResponse(each, { onFault: (...fault) => faults.push(fault) });
    const text = await answer.text();
    expect(answer.status).toBe(500);
    expect(text).not.toMatch(/secret|home|sk-/);
    expect(text).toContain(faults.at(-1)?.[0] ?? 'no id');
  }
  expect(faults.map(([, fault]) => fault)).toEqual(thrown);
});

test('an API defines the form of its errors', async () => {
  const toBody = ({ message, code }: { message: string; code?: string | undefined }) => ({ error: code, message });
  const answer = errorResponse(new AgentError('session_not_found', 'There is no session x.'), { toBody });
  expect([answer.status, await answer.json()]).toEqual([
    404,
    { error: 'session_not_found', message: 'There is no session x.' },
  ]);
});

test('a handler that throws, immediately or later, affects no other request', async () => {
  verifies('F135');
  const faults: string[] = [];
  await using server = await startServer((app) => {
    app.onError((error) => errorResponse(error, { onFault: (errorId) => faults.push(errorId) }));
    app.get('/throws', () => {
      throw new TypeError('at /home/me');
    });
    app.get('/rejects', () => Promise.reject(new TypeError('at /home/me')));
    app.get('/works', (context) => context.json({}));
  });
  const [throws, rejects, works] = await Promise.all(
    ['throws', 'rejects', 'works'].map((path) => fetch(`${server.url}/${path}`)),
  );
  expect([throws?.status, rejects?.status, works?.status]).toEqual([500, 500, 200]);
  const bodies = await Promise.all([throws?.text(), rejects?.text()]);
  expect(bodies.every((body) => !body?.includes('home'))).toBe(true);
  expect(bodies.map((body) => faults.some((errorId) => body?.includes(errorId)))).toEqual([true, true]);
});
