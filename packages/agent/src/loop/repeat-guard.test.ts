import { verifies } from '@qwen/testkit';
import { expect, test } from 'vitest';
import {
  call,
  calling,
  createTestSession,
  ofType,
  outcomes,
  runAll,
  saying,
  tool,
} from '../../test/scripted-engine.js';

const look = tool('look', { execute: () => Promise.resolve({ content: [{ type: 'text', text: 'nothing' }] }) });
const same = calling(call('c', 'look', { at: 1 }));
const other = calling(call('c', 'look', { at: 2 }));

/** The words that the model was told besides its results. */
const told = (messages: readonly { readonly role: string }[] = []) =>
  messages.filter(({ role }) => role === 'user').length;

test('the same call with the same result five times in a row is told once, the eighth ends the turn', async () => {
  verifies('F79', 'GAP-103');
  const { session, model } = createTestSession([same], { tools: [look] });
  const events = await runAll(session, 'go');
  const calls = 'look was called 5 times in a row with the same input and the same result.';
  expect(ofType(events, 'notice')).toEqual([
    { type: 'notice', code: 'loop_detected', message: expect.stringContaining(calls), parentToolUseId: null },
  ]);
  expect(model.requests).toHaveLength(8);
  expect([4, 5, 7].map((index) => told(model.requests[index]?.messages))).toEqual([1, 2, 2]);
  expect(outcomes(events)).toMatchObject([{ type: 'error', error: { code: 'loop_detected' } }]);
  expect(session.messages.at(-1)?.role).toBe('tool');
});

test('calls of one answer are none, however many; answers that repeat several calls are', async () => {
  verifies('GAP-103');
  const many = calling(...Array.from({ length: 40 }, (_, index) => call(`c${index}`, 'look')));
  const pair = calling(call('c', 'look', { at: 1 }), call('d', 'look', { at: 2 }));
  const { session } = createTestSession([many, saying('ok'), pair], { tools: [look] });
  const events = await runAll(session, 'a', 'b');
  expect(ofType(events, 'notice').map(({ code }) => code)).toEqual(['loop_detected']);
  expect(outcomes(events)).toMatchObject([{ text: 'ok' }, { error: { code: 'loop_detected' } }]);
});

test('another input, another result or another prompt begins anew', async () => {
  let ran = 0;
  const changing = tool('changing', { execute: () => Promise.resolve({ content: String((ran += 1)) }) });
  const four = [same, same, same, same];
  const changes = Array.from({ length: 9 }, () => calling(call('c', 'changing')));
  const { session } = createTestSession(
    [...four, other, ...four, saying('one'), ...four, saying('two'), ...changes, saying('three')],
    { tools: [look, changing] },
  );
  const events = await runAll(session, 'a', 'b', 'c');
  expect(ofType(events, 'notice')).toEqual([]);
  expect(outcomes(events)).toMatchObject([{ text: 'one' }, { text: 'two' }, { text: 'three' }]);
});
