import { says, verifies } from '@qwen/testkit';
import { expect, test } from 'vitest';
import { chat, openCliFixture, SUMMARY, said, startLines } from './openai-fixture.js';

test('a prompt returns a receipt immediately, an answer and a summary, and the next one continues the session', async () => {
  verifies('A-06', 'A-14', 'A-16', 'B-03', 'CF-03', 'E-01', 'E-02', 'A-18');
  await using fixture = await openCliFixture([says('Hello'), says('Again')]);
  const agent = await startLines(fixture);
  const receipt = await agent.next({ object: 'chat.completion' });
  expect(receipt).toMatchObject({
    metadata: { protocol_version: 1, input_format: 'stream-json', capabilities: { commandHints: true } },
  });
  agent.send(chat('Hi'));
  await agent.next(said('Hello'));
  const { metadata } = (await agent.next(SUMMARY)) as { metadata: { session_id: string } };
  agent.send(chat('More', { session_id: metadata.session_id }));
  await agent.next(said('Again'));
  await agent.next(SUMMARY);
  agent.endInput();
  expect(await agent.exited).toEqual({ code: 0, signal: null });
  expect(fixture.model.requests.at(-1)).toMatchObject({});
});

test.each([
  ['SIGTERM', 143],
  ['SIGINT', 130],
  ['SIGHUP', 129],
] as const)('%s before the first line ends the process', async (signal, code) => {
  await using fixture = await openCliFixture();
  const agent = await startLines(fixture);
  await agent.next({ object: 'chat.completion' });
  agent.kill(signal);
  expect(await agent.exited).toEqual({ code, signal: null });
});
