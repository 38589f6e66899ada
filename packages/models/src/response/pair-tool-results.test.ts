import { verifies } from '@qwen/testkit';
import { expect, test } from 'vitest';
import type { ModelMessage, ToolResultPart } from '../parts.js';
import { pairToolResults } from './pair-tool-results.js';

const QUESTION: ModelMessage = { role: 'user', content: [{ type: 'text', text: 'Hi' }] };
const calls = (...ids: readonly string[]): ModelMessage => ({
  role: 'assistant',
  content: ids.map((id) => ({ type: 'tool_call', id, name: 'f', input: {} })),
});
const result = (callId: string): ToolResultPart => ({ callId, name: 'f', content: [], isError: false });
const results = (...ids: readonly string[]): ModelMessage => ({ role: 'tool', results: ids.map(result) });

test('a valid history is unchanged', () => {
  const history = [QUESTION, calls('a', 'b'), results('a', 'b'), QUESTION];
  expect(pairToolResults(history)).toEqual(history);
});

test('each call has one result, in order, and other results are dropped', () => {
  verifies('F76');
  const paired = pairToolResults([results('lost'), calls('a', 'b', 'c'), results('c', 'x', 'a'), QUESTION, calls('d')]);
  expect(paired).toMatchObject([
    calls('a', 'b', 'c'),
    { role: 'tool', results: [result('a'), { callId: 'b', name: 'f', isError: true }, result('c')] },
    QUESTION,
    calls('d'),
    { role: 'tool', results: [{ callId: 'd', isError: true }] },
  ]);
});

test('later messages do not change earlier ones', () => {
  const history = [QUESTION, calls('a'), results('a')];
  expect(pairToolResults([...history, QUESTION]).slice(0, 3)).toEqual(pairToolResults(history));
});
