import { verifies } from '@qwen/testkit';
import { expect, test } from 'vitest';
import { fakeHost, messageOf, typeIn } from '../../test/fake-host.js';

test('/help lists all commands by source, and describes one', async () => {
  verifies('GAP-03', 'CF-67');
  const review = { name: 'git:review', description: 'Mine.', kind: 'file' as const, usage: '[ARGUMENTS]' };
  const run = async () => ({ type: 'handled' as const });
  const source = { list: () => [review, { ...review, name: 'clear' }].map((one) => ({ ...one, run })) };
  const outcome = await typeIn('?', fakeHost(), { sources: [source] });
  const content = outcome.type === 'message' ? outcome.content : '';
  expect(content).toContain('Commands:\n');
  expect(content).toContain('\n  /chat save TAG - Save the conversation as a checkpoint.\n');
  expect(content).toContain('Custom commands:\n  /git:review [ARGUMENTS] - Mine.');
  expect(content).toContain('Skipped:\n  /clear (file): /clear (built-in) takes precedence');
  expect(await messageOf('/help /chat  RESUME', fakeHost())).toBe(
    '/chat resume TAG\nResume a checkpoint.\nAliases: /chat load',
  );
  expect(await messageOf('?dir', fakeHost())).toContain(
    'Aliases: /dir\nSubcommands:\n  /directory add PATH[,PATH…] - Add folders',
  );
  expect(await typeIn('/help none', fakeHost())).toMatchObject({ level: 'error', content: 'Unknown command: /none' });
});
