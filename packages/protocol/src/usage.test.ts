import { verifies } from '@qwen/testkit';
import { expect, test } from 'vitest';
import { addUsage, NO_USAGE, usageSchema } from './usage.js';

test('counts are added per member; a missing total is input plus output', () => {
  const cached = { input_tokens: 10, output_tokens: 2, cache_read_input_tokens: 4 };
  const plain = { input_tokens: 1, output_tokens: 1, total_tokens: 3 };
  expect(addUsage(cached, plain)).toEqual({
    input_tokens: 11,
    output_tokens: 3,
    cache_read_input_tokens: 4,
    total_tokens: 15,
  });
  expect(addUsage(NO_USAGE, cached)).toEqual({ ...cached, total_tokens: 12 });
});

test('counts are numbers', () => {
  verifies('T25');
  expect(usageSchema.safeParse({ input_tokens: '1', output_tokens: 1 }).success).toBe(false);
});
