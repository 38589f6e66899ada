import { AgentError } from '@qwen/protocol';
import { verifies } from '@qwen/testkit';
import { expect, test } from 'vitest';
import { chooseSession } from './session-choice.js';

const A = '0f9d2c52-3c0a-4f1e-9d59-0d8a3c9a1b11';
const B = '7b0d34d6-5c1f-4a52-8b0f-6b1c1f6c0a22';
const never = () => Promise.reject(new Error('asked for the latest session'));

test('a new session has a random v4 UUID, or the requested one', async () => {
  verifies('GAP-40');
  const { kind, sessionId } = await chooseSession({}, never);
  expect(kind).toBe('new');
  expect(sessionId).toMatch(/^[0-9a-f]{8}-[0-9a-f]{4}-4[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/);
  expect(await chooseSession({ sessionId: A }, never)).toEqual({ kind: 'new', sessionId: A });
});

test('resume, continue and fork', async () => {
  verifies('FB18');
  expect(await chooseSession({ resume: A }, never)).toEqual({ kind: 'resume', sessionId: A });
  expect(await chooseSession({ continue: true }, async () => A)).toEqual({ kind: 'resume', sessionId: A });
  expect(await chooseSession({ resume: A, forkSession: true, sessionId: B }, never)).toEqual({
    kind: 'fork',
    sessionId: B,
    source: A,
  });
  const { sessionId, ...rest } = await chooseSession({ continue: true, forkSession: true }, async () => A);
  expect(rest).toEqual({ kind: 'fork', source: A });
  expect(sessionId).not.toBe(A);
});

test('resuming at a message continues in a copy', async () => {
  verifies('FB18');
  const { sessionId, ...rest } = await chooseSession({ resume: A, resumeSessionAt: 'm' }, never);
  expect(rest).toEqual({ kind: 'fork', source: A, upToMessageId: 'm' });
  expect(sessionId).not.toBe(A);
});

test('a missing session to continue is reported with the first prompt, not by an exit', async () => {
  expect(await chooseSession({ continue: true }, async () => undefined)).toMatchObject({
    kind: 'unavailable',
    error: { code: 'session_not_found' },
  });
  const unreadable = () => Promise.reject(new AgentError('storage_unwritable', 'no'));
  expect(await chooseSession({ continue: true }, unreadable)).toMatchObject({ error: { code: 'storage_unwritable' } });
});

test.each([
  [{ sessionId: 'mine' }],
  [{ resume: '../../etc/passwd' }],
  [{ forkSession: true }],
  [{ resumeSessionAt: 'm' }],
  [{ resume: A, sessionId: B }],
  [{ continue: true, sessionId: B }],
])('%j is refused', async (flags) => {
  await expect(chooseSession(flags, async () => A)).rejects.toMatchObject({ code: 'usage' });
});
