import { verifies } from '@qwen/testkit';
import { expect, test } from 'vitest';
import { startFaultyServer } from '../../test/faulty-server.js';
import { runToolForText } from '../../test/run-tool.js';
import type { Elicit, Elicitation, ElicitationAnswer } from './elicitation.js';

const context = { cwd: '/' };
const FORM = {
  mode: 'form',
  message: 'Who are\u200b you?',
  requestedSchema: {
    type: 'object',
    properties: {
      name: { type: 'string', description: 'full\u202e name' },
      age: { type: 'integer', default: 30 },
      colour: { type: 'string', enum: ['red', 'blue'], default: 'red' },
    },
    required: ['name'],
  },
};

/** The response that the server got. */
async function askedOf(answer: ElicitationAnswer, question: object = FORM) {
  const seen: Elicitation[] = [];
  const elicit: Elicit = async (one) => {
    seen.push(one);
    return answer;
  };
  await using server = await startFaultyServer('none', { elicit });
  const { notices } = server;
  const response: unknown = JSON.parse(await runToolForText(server.tool('ask'), question, context));
  return { seen, notices, response };
}

test('the answer of the user goes to the server, with the defaults of the form', async () => {
  verifies('S97');
  const { seen, response } = await askedOf({ action: 'accept', content: { name: 'Ada', age: 36 } });
  expect(response).toEqual({ action: 'accept', content: { name: 'Ada', age: 36, colour: 'red' } });
  expect(seen).toEqual([
    {
      message: 'Who are you?',
      requested_schema: expect.objectContaining({
        properties: expect.objectContaining({ name: { type: 'string', description: 'full name' } }),
      }),
    },
  ]);
});

test.each(['decline', 'cancel'] as const)('the server receives only %s', async (action) => {
  const { response } = await askedOf({ action, content: { name: 'Ada' } });
  expect(response).toEqual({ action });
});

test.each([
  ['a member is missing', {}],
  ['a member has another type', { name: 'Ada', age: 'old' }],
  ['a choice is none of those', { name: 'Ada', colour: 'green' }],
])('an answer is not sent when %s; the user is notified', async (_, content) => {
  const { response, notices } = await askedOf({ action: 'accept', content });
  expect(response).toEqual({ action: 'decline' });
  expect(notices).toEqual([expect.stringContaining('does not match the form')]);
});

test('only the user opens a page: the question has its address', async () => {
  verifies('S97', 'S99');
  const page = { mode: 'url', message: 'Sign in', url: 'https://login.example', elicitationId: '1' };
  const { seen, response } = await askedOf({ action: 'decline' }, page);
  expect(seen).toEqual([{ message: 'Sign in', mode: 'url', url: 'https://login.example/', requested_schema: {} }]);
  expect(response).toEqual({ action: 'decline' });
});

test.each(['javascript:alert(1)', 'file:///etc/passwd', 'not an address'])(
  'the address %s is refused without a question',
  async (url) => {
    verifies('S99');
    const page = { mode: 'url', message: 'Sign in', url, elicitationId: '1' };
    const { seen } = await askedOf({ action: 'accept' }, page);
    expect(seen).toEqual([]);
  },
);

test('without elicit, the server gets an error', async () => {
  verifies('S97');
  await using server = await startFaultyServer('none');
  const response: unknown = JSON.parse(await runToolForText(server.tool('ask'), FORM, context));
  expect(response).toMatchObject({ code: -32601 });
});

test('the user may take longer than the server may', async () => {
  const answer = Promise.withResolvers<ElicitationAnswer>();
  const asked = Promise.withResolvers<void>();
  const elicit: Elicit = () => {
    asked.resolve();
    return answer.promise;
  };
  await using server = await startFaultyServer('none', { elicit, requestTimeoutMs: 800, startTimeoutMs: 0 });
  await using slow = await startFaultyServer('none', { requestTimeoutMs: 1600, startTimeoutMs: 0 });
  const call = runToolForText(server.tool('ask'), FORM, context);
  await asked.promise;
  // When this call has run out of its time, the other one would have done so long ago.
  await expect(runToolForText(slow.tool('hang'), {}, context)).rejects.toMatchObject({ code: 'timeout' });
  answer.resolve({ action: 'decline' });
  expect(JSON.parse(await call)).toEqual({ action: 'decline' });
});
