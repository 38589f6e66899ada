import { expect, test } from 'vitest';
import { readBudget, readCount } from './prompt-limits.js';

test('times with and without a unit; -1 is no limit', () => {
  expect(readBudget({ maxWallTime: '90' })).toEqual({ wallMs: 90_000 });
  expect(readBudget({ maxWallTime: '1.5m' })).toEqual({ wallMs: 90_000 });
  expect(readBudget({ maxWallTime: '2h', maxToolCalls: 3, maxTokens: 4 })).toEqual({
    wallMs: 7_200_000,
    toolCalls: 3,
    tokens: 4,
  });
  expect(readBudget({ maxWallTime: '-1', maxToolCalls: -1, maxTokens: -1 })).toEqual({});
  expect(readBudget({})).toEqual({});
  expect(readBudget({ maxToolCalls: 0 })).toEqual({ toolCalls: 0 });
});

test.each(['', '0', 'soon', '-5', '3d', '1e3'])('a time of "%s" is refused', (maxWallTime) => {
  expect(() => readBudget({ maxWallTime })).toThrow(expect.objectContaining({ code: 'usage' }));
});

test.each([0, -2])('a count of %d is refused by the name of its flag', (value) => {
  expect(() => readCount('max-tokens', value)).toThrow(/--max-tokens/);
});
