import { setTimeout as delay } from 'node:timers/promises';
import { verifies } from '@qwen/testkit';
import { expect, test } from 'vitest';
import { LineMatcher } from './line-matcher.js';

test('returns the matching lines of each text with their numbers', async () => {
  await using matcher = new LineMatcher({ expression: /b/ });
  expect(await matcher.match(['a\nb\r\n\nb2', '', 'none'])).toEqual([
    [
      { number: 2, text: 'b' },
      { number: 4, text: 'b2' },
    ],
    [],
    [],
  ]);
  expect(await matcher.match(['b'])).toEqual([[{ number: 1, text: 'b' }]]);
});

test('a runaway expression is stopped without delaying anything else', async () => {
  verifies('F145');
  await using matcher = new LineMatcher({ expression: /^(a+)+$/, limitMs: 300 });
  const search = matcher.match([`${'a'.repeat(50)}!`]);
  // The main thread stays free: otherwise this timer could not fire.
  const first = await Promise.race([search.catch(() => 'search'), delay(10, 'timer')]);
  expect(first).toBe('timer');
  await expect(search).rejects.toMatchObject({ code: 'search_timeout' });
});
