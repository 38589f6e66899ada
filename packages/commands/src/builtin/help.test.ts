import { verifies } from '@qwen/testkit';
import { expect, test } from 'vitest';
import { fakeHost, messageOf, typeIn } from '../../test/fake-host.js';

test('/help lists everything by where it comes from, and tells of one command', async () => {
  verifies('GAP-03', 'CF-67');
  const review = { name: 'git:review', description: 'Mine.', kind: 'file' as const, usage: '[ARGUMENTS]' };
  const run = async () => ({ type: 'handled' as const });
  const source = { list: () => [review, { ...review, name: 'clear' }].map((one) => ({ ...one, run })) };
  const outcome = await typeIn('?', fakeHost(), { sources: [source] });
  const content = outcome.type === 'message' ? outcome.content : '';
  expect(content).toContain('Commands:\n');
  expect(content).toContain('\n  /chat save TAG - Saves the conversation as a checkpoint.\n');
  expect(content).toContain('Your own commands:\n  /git:review [ARGUMENTS] - Mine.');
  expect(content).toContain('Left out:\n  /clear (file): /clear (built-in) is stronger');
  expect(await messageOf('/help /chat  RESUME', fakeHost())).toBe(
    '/chat resume TAG\nGoes on from a saved checkpoint.\nAlso: /chat load',
  );
  expect(await messageOf('?dir', fakeHost())).toContain(
    'Also: /dir\nSubcommands:\n  /directory add PATH[,PATH…] - Adds folders',
  );
  expect(await typeIn('/help none', fakeHost())).toMatchObject({ level: 'error', content: 'Unknown command: /none' });
});
