import type { ModelMessage } from '@qwen/models';
import { expect, test } from 'vitest';
import { planCompaction } from './plan.js';
import { toTranscript } from './transcript.js';

const user = (length: number): ModelMessage => ({
  role: 'user',
  content: [{ type: 'text', text: 'u'.repeat(length) }],
});
const answer = (length: number): ModelMessage => ({
  role: 'assistant',
  content: [{ type: 'text', text: 'a'.repeat(length) }],
});
const calls: ModelMessage = { role: 'assistant', content: [{ type: 'tool_call', id: 'c', name: 'look', input: {} }] };
const result = (length: number): ModelMessage => ({
  role: 'tool',
  results: [{ callId: 'c', name: 'look', content: [{ type: 'text', text: 'r'.repeat(length) }], isError: false }],
});

const keptRoles = (messages: readonly ModelMessage[]) => planCompaction(messages)?.kept.map(({ role }) => role);

test('the cut is before a prompt if possible, otherwise before a step of the turn', () => {
  expect(keptRoles([user(4000), answer(4000), user(100), answer(100), user(100)])).toEqual([
    'user',
    'assistant',
    'user',
  ]);
  expect(keptRoles([user(400), calls, result(4000), calls, result(4000), calls, result(100)])).toEqual([
    'assistant',
    'tool',
  ]);
});

test('the last step stays, whatever its length', () => {
  expect(keptRoles([user(4000), calls, result(4000), calls, result(4000)])).toEqual(['assistant', 'tool']);
});

test('nothing is cut if it would save little', () => {
  expect(planCompaction([user(4000)])).toBeUndefined();
  expect(planCompaction([user(4000), calls, result(40)])).toBeUndefined();
  expect(planCompaction([user(40), answer(40), user(9000)])).toBeUndefined();
  expect(planCompaction([])).toBeUndefined();
});

test('a transcript labels each speaker, cuts results, and fits its length', () => {
  const text = toTranscript([user(3), calls, result(5000), answer(3)], 100_000);
  expect(text).toMatch(
    /^USER:\nuuu\n\nAGENT:\n\[calls look \{\}\]\n\nRESULT of look:\nr+\n\[3000 characters left out\]\n/,
  );
  expect(text.endsWith('AGENT:\naaa')).toBe(true);
  expect(toTranscript([user(5000), answer(5000)], 1000).length).toBeLessThan(1100);
});
