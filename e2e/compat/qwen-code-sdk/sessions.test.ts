import { says, verifies } from '@qwen/testkit';
import type { SDKMessage } from '@qwen-code/sdk';
import { expect, test } from 'vitest';
import { collect, openFixture, results } from './fixture.ts';

const ID = '3f2b8c1e-6d4a-4b7e-9c58-0a1b2c3d4e5f';
const FORK = '9e8d7c6b-5a49-4382-b716-05f4e3d2c1b0';

test('sessionId, resume and fork refer to the same sessions on the wire and in the app', async () => {
  verifies('FB18', 'GAP-04');
  await using fixture = await openFixture(() => [says('one'), says('two'), says('three'), says('four')]);
  const first = fixture.query('first', { sessionId: ID });
  expect(results(await collect(first))).toMatchObject([{ session_id: ID, result: 'one' }]);
  expect(first.getSessionId()).toBe(ID);

  const resumed = fixture.query('second', { resume: ID });
  expect(results(await collect(resumed))).toMatchObject([{ session_id: ID, result: 'two' }]);
  expect(resumed.getSessionId()).toBe(ID);

  const forked = fixture.query('third', { resume: ID, forkSession: true, sessionId: FORK });
  const [result] = results(await collect(forked));
  expect(result).toMatchObject({ result: 'three' });
  expect(result?.session_id).not.toBe(ID);
  const said = fixture.model.requests.at(-1)?.messages.filter(({ role }) => role === 'user');
  expect(said).toHaveLength(3);

  await collect(fixture.query('again', { resume: ID }));
  expect(fixture.model.requests.at(-1)?.messages.filter(({ role }) => role === 'user')).toHaveLength(3);
});

test('two queries without an ID are two sessions', async () => {
  await using fixture = await openFixture(() => [says('one')]);
  const ids = await Promise.all(
    ['a', 'b'].map(async (prompt) => results(await collect(fixture.query(prompt)))[0]?.session_id),
  );
  expect(new Set(ids).size).toBe(2);
});

test('a missing session is an error with its ID', async () => {
  verifies('FB9', 'FB18');
  await using fixture = await openFixture(() => [says('never')]);
  const messages: SDKMessage[] = [];
  const reading = (async () => {
    for await (const message of fixture.query('x', { resume: ID })) messages.push(message);
  })();
  await expect(reading).rejects.toThrow('CLI process exited with code 1');
  expect(results(messages)).toMatchObject([{ is_error: true, error: { message: expect.stringContaining(ID) } }]);
  expect(fixture.model.requests).toEqual([]);
});
