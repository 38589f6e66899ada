import type { AgentError } from '@qwen/protocol';
import { verifies } from '@qwen/testkit';
import { expect, test } from 'vitest';
import type { ElicitationRequest, OnElicitation } from './elicitation.js';
import { createElicitationHandler } from './elicitation.js';

const QUESTION = { server_name: 'github', message: 'Which one?', requested_schema: { type: 'object' } };

/** What the CLI gets for an answer of the app. */
async function answerOf(onElicitation: OnElicitation | undefined) {
  const problems: AgentError[] = [];
  const handle = createElicitationHandler(onElicitation, (problem) => problems.push(problem));
  const { signal } = new AbortController();
  return { answer: await handle(QUESTION, { signal, requestId: '1' }), problems };
}

test('passes the server and its request to the app and returns the answer', async () => {
  verifies('S97');
  const seen: ElicitationRequest[] = [];
  const { answer, problems } = await answerOf((request) => {
    seen.push(request);
    return { action: 'accept', content: { choice: 'a', sizes: ['s', 'm'] } };
  });
  expect(seen).toEqual([
    { serverName: 'github', mode: 'form', message: 'Which one?', requestedSchema: { type: 'object' } },
  ]);
  expect(answer).toEqual({ action: 'accept', content: { choice: 'a', sizes: ['s', 'm'] } });
  expect(problems).toEqual([]);
});

test('declines every request without a callback', async () => {
  expect(await answerOf(undefined)).toEqual({ answer: { action: 'decline' }, problems: [] });
});

test('a throw and malformed answers decline and are reported', async () => {
  const wrong: readonly OnElicitation[] = [
    () => {
      throw new Error('no dialog');
    },
    // What an app without types may return.
    () => JSON.parse('{"action":"yes"}'),
    () => JSON.parse('{"action":"accept","content":{"deep":{"er":1}}}'),
    () => JSON.parse('null'),
  ];
  for (const onElicitation of wrong) {
    const { answer, problems } = await answerOf(onElicitation);
    expect(answer).toEqual({ action: 'decline' });
    expect(problems).toHaveLength(1);
  }
});
