import { verifies } from '@qwen/testkit';
import { expect, test } from 'vitest';
import { fakeHost, said, TALK, typeIn } from '../../test/fake-host.js';

test('/clear is done without a word', async () => {
  verifies('F-20', 'GAP-03');
  const fake = fakeHost();
  expect(await typeIn('/clear', fake)).toEqual({ type: 'handled' });
  expect(fake.doings).toEqual(['clear']);
});

test('/compress tells what it saved', async () => {
  verifies('GAP-03');
  expect(await said('/compress', fakeHost())).toBe('Compressed the context from 900 to 100 tokens.');
  const { host } = fakeHost();
  const nothing = fakeHost({ session: { ...host.session, compact: async () => undefined } });
  expect(await said('/summarize', nothing)).toBe('There is nothing to compress.');
});

test('/resume lists the other sessions and goes on from one', async () => {
  verifies('F-25');
  const fake = fakeHost();
  expect(await said('/resume', fake)).toBe('Earlier sessions:\n  s-0  2026-01-02 03:04 UTC  Fix it');
  expect(await typeIn('/resume s-0', fake)).toEqual({ type: 'load_history', history: TALK });
  expect(fake.doings).toEqual([`restore ${TALK.length}`]);
  expect(await typeIn('/sessions s-1', fake)).toMatchObject({ level: 'error', code: 'session_busy' });
});

test('/copy copies the last answer, or its last code', async () => {
  const fake = fakeHost();
  expect(await said('/copy', fake)).toBe('Copied the last answer.');
  expect(await said('/copy code', fake)).toBe('Copied the last code of the answer.');
  expect(fake.doings).toEqual(['copy This:\n```ts\nconst a = 1;\n```\nDone.', 'copy const a = 1;\n']);
  const { host } = fake;
  const silent = fakeHost({ session: { ...host.session, records: async () => TALK.slice(0, 1) } });
  expect(await said('/copy', silent)).toBe('There is no answer to copy yet.');
  expect(await typeIn('/copy all', fake)).toMatchObject({ code: 'usage' });
});
