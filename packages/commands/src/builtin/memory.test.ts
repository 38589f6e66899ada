import { verifies } from '@qwen/testkit';
import { expect, test } from 'vitest';
import { fakeHost, messageOf, typeIn } from '../../test/fake-host.js';

test('/memory shows, lists, adds and reloads', async () => {
  verifies('GAP-03');
  const fake = fakeHost();
  expect(await messageOf('/memory show', fake)).toBe('--- /work/QWEN.md\nBe brief.');
  expect(await messageOf('/memory list', fake)).toBe('Instruction files:\n  /work/QWEN.md');
  expect(await messageOf('/memory add Use\n# tabs', fake)).toBe('Added to /work/QWEN.md: Use # tabs');
  expect(await messageOf('/memory add --global Use tabs', fake)).toContain('/home/me/.qwen/QWEN.md');
  await messageOf('/memory add --project x', fake);
  expect(await messageOf('/memory refresh', fake)).toBe('Reloaded 1 file (10 characters).');
  expect(fake.calls).toEqual([
    'remember project Use # tabs',
    'refresh',
    'remember user Use tabs',
    'refresh',
    'remember project x',
    'refresh',
    'refresh',
  ]);
  for (const text of ['/memory add', '/memory add --global', '/memory add --project  ']) {
    expect(await typeIn(text, fake)).toMatchObject({ code: 'usage' });
  }
});
