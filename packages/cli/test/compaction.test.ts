import { says, verifies } from '@qwen/testkit';
import { expect, test } from 'vitest';
import { type CliFixture, openCliFixture, prompt, RESULT } from './cli-fixture.js';

const ID = '0f9d2c52-3c0a-4f1e-9d59-0d8a3c9a1b77';
const LONG = 'word '.repeat(2_000);
const TOO_LONG = () => ({
  error: { message: 'too long', type: 'invalid_request_error', code: 'context_length_exceeded' },
  status: 400,
});
const BOUNDARY = { type: 'system', subtype: 'compact_boundary' };

/** The messages of the last model call, without the system prompt. */
const lastConversation = (fixture: CliFixture) =>
  fixture.model.requests.at(-1)?.messages.flatMap(({ role, content }) => (role === 'system' ? [] : [content]));

test('a conversation that the provider refuses as too long is summarized, reported, and resumed unchanged', async () => {
  verifies('GAP-59');
  await using fixture = await openCliFixture([says('one'), TOO_LONG, says('in short'), says('two'), says('three')]);
  const agent = await fixture.startMachine(['--session-id', ID]);
  agent.send(prompt(LONG));
  expect(await agent.next(RESULT)).toMatchObject({ result: 'one' });
  agent.send(prompt('second'));
  expect(await agent.next(BOUNDARY)).toMatchObject({
    compact_metadata: { trigger: 'auto', pre_tokens: expect.any(Number), post_tokens: expect.any(Number) },
  });
  expect(await agent.next(RESULT)).toMatchObject({ is_error: false, result: 'two' });
  const [summary, ...rest] = lastConversation(fixture) ?? [];
  expect(summary).toMatch(
    /^<user-requests>\n.*\nword word .*\n<conversation-summary>\n.*\nin short\n<\/conversation-summary>$/s,
  );
  expect(rest).toEqual(['second']);
  agent.endInput();
  await agent.exited;

  const again = await fixture.startMachine([`--resume=${ID}`]);
  again.send(prompt('third'));
  expect(await again.next(RESULT)).toMatchObject({ result: 'three' });
  expect(lastConversation(fixture)).toEqual([summary, 'second', 'two', 'third']);
});

test('the size of an unknown context window can be set', async () => {
  verifies('GAP-59');
  await using fixture = await openCliFixture([says('one'), says('in short'), says('two')]);
  const agent = await fixture.startMachine(['--context-window', '100']);
  agent.send(prompt(LONG));
  await agent.next(RESULT);
  agent.send(prompt('second'));
  await agent.next(BOUNDARY);
  expect(await agent.next(RESULT)).toMatchObject({ result: 'two' });
});
