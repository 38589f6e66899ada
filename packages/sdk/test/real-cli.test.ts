import {
  isolatedEnvironment,
  resourceBaseline,
  says,
  startScriptedModel,
  temporaryFolder,
  verifies,
} from '@qwen/testkit';
import { afterAll, expect, test } from 'vitest';
import { query } from '../src/index.js';
import { collect, resultOf } from './programs.js';

// The built CLI, found as a dependency of this package. Whole scenes with it are in e2e.
const resources = resourceBaseline();
afterAll(() => resources.assertUnchanged());

test('the installed CLI answers; resume, continue and fork report the session ID of the wire', async () => {
  verifies('O-53', 'FB18');
  await using folder = await temporaryFolder();
  await using model = await startScriptedModel([says('one'), says('two'), says('three'), says('four')]);
  const options = { cwd: folder.path, env: isolatedEnvironment(folder.resolve('home'), model.env) };

  const first = query({ prompt: 'first', options });
  const sessionId = first.sessionId;
  expect(await resultOf(first)).toMatchObject({ result: 'one', session_id: sessionId });

  const resumed = query({ prompt: 'second', options: { ...options, resume: sessionId } });
  expect(resumed.sessionId).toBe(sessionId);
  expect(await resultOf(resumed)).toMatchObject({ result: 'two', session_id: sessionId });

  const continued = query({ prompt: 'third', options: { ...options, continue: true } });
  expect(continued.sessionId).toBeUndefined();
  expect(await resultOf(continued)).toMatchObject({ result: 'three', session_id: sessionId });
  expect(continued.sessionId).toBe(sessionId);

  const forked = query({ prompt: 'fourth', options: { ...options, resume: sessionId, forkSession: true } });
  const fourth = await resultOf(forked);
  expect(fourth).toMatchObject({ result: 'four', session_id: forked.sessionId });
  expect(forked.sessionId).not.toBe(sessionId);
  expect(model.requests.at(-1)?.messages.filter(({ role }) => role === 'user')).toHaveLength(4);
});

test('a missing session is a typed error', async () => {
  verifies('FB18', 'FB9');
  await using folder = await temporaryFolder();
  await using model = await startScriptedModel([says('never')]);
  const options = {
    cwd: folder.path,
    env: isolatedEnvironment(folder.resolve('home'), model.env),
    resume: '11111111-2222-4333-8444-555555555555',
  };
  const conversation = query({ prompt: 'x', options });
  const outcome = await collect(conversation).catch((error: unknown) => error);
  expect(JSON.stringify(outcome)).toContain('session_not_found');
});
