import { verifies } from '@qwen/testkit';
import { expect, test } from 'vitest';
import { fakeHost, messageOf, typeIn } from '../../test/fake-host.js';

test('/directory shows folders, and adds those that exist', async () => {
  verifies('GAP-03');
  const fake = fakeHost();
  expect(await messageOf('/directory show', fake)).toBe('Workspace:\n  /work\n  /more');
  expect(await messageOf('/dir add a, b', fake)).toBe('Added /work/a\nAdded /work/b');
  expect(await typeIn('/dir add a,none', fake)).toMatchObject({
    level: 'error',
    content: 'Added /work/a\nnone: No such folder.',
  });
  expect(await typeIn('/dir add', fake)).toMatchObject({ code: 'usage' });
});
