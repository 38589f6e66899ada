import { execFileSync } from 'node:child_process';
import { temporaryFolder, verifies } from '@qwen/testkit';
import { expect, test } from 'vitest';
import { commandEnvironment } from './command-environment.js';
import { shellFor } from './shell-program.js';

test('the shell that runs is the one whose grammar was read, without files of anybody', async () => {
  verifies('S20');
  await using home = await temporaryFolder();
  for (const name of ['.bashrc', '.bash_profile', '.profile', 'env.sh']) await home.write(name, 'echo started');
  const base = {
    ...process.env,
    HOME: home.path,
    SHELL: '/bin/zsh',
    BASH_ENV: home.resolve('env.sh'),
    CDPATH: '/',
  };
  const { program, args } = shellFor(
    'echo "${BASH_VERSION%%.*}" "${CDPATH-unset}"; shopt -q login_shell || echo plain',
    'joined',
  );
  const environment = commandEnvironment({ base, keep: new Set() });
  const output = execFileSync(program, args, { env: environment, encoding: 'utf8' });
  expect(output).toMatch(/^\d+ unset\nplain\n$/);
  expect(args).toEqual(expect.arrayContaining(['--noprofile', '--norc']));
});
