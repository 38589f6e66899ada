import { spawnSync } from 'node:child_process';
import { calls, lastText, says } from '@qwen/testkit';
import { expect, test } from 'vitest';
import { BIN, openCliFixture } from './cli-fixture.js';

const NAMELESS = ['--user', '--map-user=54321'];
const hasNamespaces = spawnSync('unshare', [...NAMELESS, 'true']).status === 0;
const READ_ONLY = 'mount -t tmpfs -o ro none "$1" && shift && exec "$@"';
const hasMounts = spawnSync('unshare', ['-Urm', 'mount', '-t', 'tmpfs', 'none', '/mnt']).status === 0;

test.runIf(hasMounts)('a read-only home is reported with the variable to set', async () => {
  await using fixture = await openCliFixture([says('Hello.')]);
  await fixture.workspace.write('home/.qwen/keep', '');
  const program = await fixture.start([], {
    command: 'unshare',
    args: ['-Urm', 'sh', '-c', READ_ONLY, 'sh', fixture.workspace.resolve('home'), process.execPath, BIN, '-p', 'hi'],
  });
  program.endInput();
  expect(await program.exited).not.toMatchObject({ code: 0 });
  expect(program.stderr).toContain('Set QWEN_HOME to a writable folder.');
});

test.runIf(hasNamespaces)('runs for a user without a name and a home, as in a container', async () => {
  await using fixture = await openCliFixture([says('Hello.')]);
  const { HOME: _home, ...env } = fixture.env;
  const program = await fixture.start([], {
    command: 'unshare',
    args: [...NAMELESS, process.execPath, BIN, '-p', 'say hello'],
    env,
  });
  program.endInput();
  expect(await program.exited).toMatchObject({ code: 0 });
  expect(program.lines.map(({ text }) => text)).toEqual(['Hello.']);
});

test('commands do not inherit variables that turn the app into Node.js or Bun', async () => {
  await using fixture = await openCliFixture([
    calls({ name: 'run_shell_command', input: { command: 'env', is_background: false } }),
    (request) =>
      says(
        `names: ${lastText(request)
          .match(/^(?:PATH|ELECTRON_RUN_AS_NODE|BUN_BE_BUN)(?==)/gm)
          ?.join()}`,
      ),
  ]);
  const env = { ...fixture.env, ELECTRON_RUN_AS_NODE: '1', BUN_BE_BUN: '1' };
  const program = await fixture.start(['--permission-mode=yolo', '-p', 'print it'], { env });
  program.endInput();
  expect(await program.exited).toMatchObject({ code: 0 });
  expect(program.lines.map(({ text }) => text)).toEqual(['names: PATH']);
});
