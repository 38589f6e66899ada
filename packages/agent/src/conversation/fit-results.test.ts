import type { ModelMessage } from '@qwen/models';
import { expect, test } from 'vitest';
import { messageTokens } from './context-usage.js';
import { fitResults } from './fit-results.js';

const results = (...texts: readonly string[]): ModelMessage => ({
  role: 'tool',
  results: texts.map((text, index) => ({
    callId: `c${index}`,
    name: 'read_file',
    content: [{ type: 'text', text }],
    isError: false,
  })),
});

test('long results of a step lose their middle, short ones stay, and calls stay answered', () => {
  const message = results('a'.repeat(60_000), 'short', 'b'.repeat(50_000));
  const [fitted] = fitResults([message], 10_000);
  expect(fitted && messageTokens(fitted)).toBeLessThan(4_200);
  expect(fitted).toMatchObject({ results: [{ callId: 'c0' }, { content: [{ text: 'short' }] }, { callId: 'c2' }] });
  expect(JSON.stringify(fitted)).toMatch(/a\\n\[\d+ characters left out: the result is too long/);
  expect(fitResults([message], 10_000)).toEqual([fitted]);
});

test('a step that fits is returned as the same object', () => {
  const messages = [results('short'), results('a'.repeat(10_000))];
  expect(fitResults(messages, 100_000).every((message, index) => message === messages[index])).toBe(true);
});
