import { says, startByteServer, trackChildren, verifies, waitUntilGone } from '@qwen/testkit';
import { AbortError, isAbortError } from '@qwen-code/sdk';
import { expect, test } from 'vitest';
import { collect, openFixture } from './fixture.ts';

test('an abort during an answer throws its AbortError and ends the CLI', async () => {
  verifies('FB6', 'FB8');
  await using fixture = await openFixture(() => [says('never')]);
  await using server = await startByteServer([{ chunks: [': hold\n\n'], ending: 'hang' }]);
  const children = trackChildren();
  const abortController = new AbortController();
  const env = { ...fixture.options.env, OPENAI_BASE_URL: `${server.url}/v1` };
  const conversation = fixture.query('hi', { abortController, env });
  const thrown = Promise.withResolvers<unknown>();
  collect(conversation).catch(thrown.resolve);
  await conversation.initialized;
  const started = children();
  expect(started.length).toBeGreaterThan(0);
  abortController.abort();
  expect(await thrown.promise).toBeInstanceOf(AbortError);
  expect(isAbortError(await thrown.promise)).toBe(true);
  for (const pid of started) await waitUntilGone(pid, { deadlineMs: 2_000 });
});

test('a whole conversation leaves no process behind', async () => {
  verifies('FB6', 'FB7');
  await using fixture = await openFixture(() => [says('one')]);
  const children = trackChildren();
  await collect(fixture.query('hi'));
  expect(children()).toEqual([]);
});

test('stderr is passed on if requested, and stdout contains only messages', async () => {
  verifies('FB12', 'T24');
  await using fixture = await openFixture(() => [says('one')]);
  const heard: string[] = [];
  const messages = await collect(
    fixture.query('hi', {
      stderr: (text) => heard.push(text),
      logLevel: 'debug',
      extraArgs: ['--an-option-of-tomorrow=1'],
    }),
  );
  expect(heard.join('')).toContain('--an-option-of-tomorrow is unknown and was ignored');
  expect(messages.at(-1)).toMatchObject({ result: 'one' });
});
