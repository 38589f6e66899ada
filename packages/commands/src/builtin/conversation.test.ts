import { verifies } from '@qwen/testkit';
import { expect, test } from 'vitest';
import { CONVERSATION, fakeHost, messageOf, typeIn } from '../../test/fake-host.js';

test('/clear clears without output', async () => {
  verifies('F-20', 'GAP-03');
  const fake = fakeHost();
  expect(await typeIn('/clear', fake)).toEqual({ type: 'handled' });
  expect(fake.calls).toEqual(['clear']);
});

test('/compress reports what it saved', async () => {
  verifies('GAP-03');
  expect(await messageOf('/compress', fakeHost())).toBe('Compressed the context from 900 to 100 tokens.');
  const { host } = fakeHost();
  const nothing = fakeHost({ session: { ...host.session, compact: async () => undefined } });
  expect(await messageOf('/summarize', nothing)).toBe('There is nothing to compress.');
});

test('/resume lists the other sessions and resumes one', async () => {
  verifies('F-25');
  const fake = fakeHost();
  expect(await messageOf('/resume', fake)).toBe('Earlier sessions:\n  s-0  2026-01-02 03:04 UTC  Fix it');
  expect(await typeIn('/resume s-0', fake)).toEqual({ type: 'load_history', history: CONVERSATION });
  expect(fake.calls).toEqual([`restore ${CONVERSATION.length}`]);
  expect(await typeIn('/sessions s-1', fake)).toMatchObject({ level: 'error', code: 'session_busy' });
});

test('/copy copies the last answer, or its last code', async () => {
  const fake = fakeHost();
  expect(await messageOf('/copy', fake)).toBe('Copied the last answer.');
  expect(await messageOf('/copy code', fake)).toBe('Copied the last code block.');
  expect(fake.calls).toEqual(['copy This:\n```ts\nconst a = 1;\n```\nDone.', 'copy const a = 1;\n']);
  const { host } = fake;
  const silent = fakeHost({ session: { ...host.session, records: async () => CONVERSATION.slice(0, 1) } });
  expect(await messageOf('/copy', silent)).toBe('There is no answer to copy yet.');
  expect(await typeIn('/copy all', fake)).toMatchObject({ code: 'usage' });
});
