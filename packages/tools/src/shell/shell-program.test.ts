import { execFileSync } from 'node:child_process';
import { temporaryFolder, verifies } from '@qwen/testkit';
import { expect, test } from 'vitest';
import { commandEnvironment } from './command-environment.js';
import { bashPaths, shellFor } from './shell-program.js';

test('the shell that runs is the one whose grammar was parsed, without start-up files', async () => {
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

test('an attended command keeps the terminal of the user, but gets no credentials either', () => {
  const options = { base: { TERM: 'xterm', OPENAI_API_KEY: 'x' }, keep: new Set<string>() };
  expect(commandEnvironment({ ...options, isAttended: true })).toEqual({ TERM: 'xterm' });
  expect(commandEnvironment(options)).toMatchObject({ TERM: 'dumb' });
});

test.each([
  [{ ProgramFiles: 'C:\\Program Files' }, ['C:\\Program Files\\Git\\bin\\bash.exe']],
  [
    { 'ProgramFiles(x86)': 'D:/x86/', LocalAppData: 'C:\\Users\\me\\AppData\\Local' },
    ['D:\\x86\\Git\\bin\\bash.exe', 'C:\\Users\\me\\AppData\\Local\\Programs\\Git\\bin\\bash.exe'],
  ],
  [{ ProgramFiles: 'here', LocalAppData: '\\here', PATH: 'C:\\evil', SHELL: 'C:\\evil\\bash.exe' }, []],
  [{}, []],
])('on Windows with %j bash is the one of Git: %j', (environment, expected) => {
  verifies('GAP-58');
  expect(bashPaths({ platform: 'win32', environment })).toEqual(expected);
});

test('elsewhere no variable selects bash', () => {
  const environment = { ProgramFiles: 'C:\\Program Files', SHELL: '/tmp/bash' };
  expect(bashPaths({ platform: 'linux', environment })).toContain('/bin/bash');
  expect(bashPaths({ platform: 'linux', environment }).join()).not.toMatch(/Program|tmp/);
});
