import { chmodSync } from 'node:fs';
import { temporaryFolder } from '@qwen/testkit';
import { afterEach, expect, test } from 'vitest';
import { systemClipboard } from './system-clipboard.js';

const { PATH } = process.env;
afterEach(() => {
  process.env.PATH = PATH;
});

test('the first program that succeeds copies the text', async () => {
  await using folder = await temporaryFolder();
  const failing = await folder.write('wl-copy', '#!/bin/sh\nexit 1\n');
  const copying = await folder.write(
    'xclip',
    '#!/bin/sh\necho "$@" > ARGS\ncat > "$(dirname "$0")/copied"\n'.replace('ARGS', '"$(dirname "$0")/args"'),
  );
  for (const program of [failing, copying]) chmodSync(program, 0o700);
  process.env.PATH = `${folder.path}:${PATH}`;
  expect(await systemClipboard({ platform: 'linux', environment: {} }).copy('größe\n')).toBe('clipboard');
  expect(await folder.read('copied')).toBe('größe\n');
  expect(await folder.read('args')).toBe('-selection clipboard\n');
});

test('without a clipboard program, the terminal copies the text', async () => {
  await using folder = await temporaryFolder();
  process.env.PATH = folder.path;
  const terminal = await folder.write('tty', '');
  const copy = (environment: Record<string, string>, text = 'größe') =>
    systemClipboard({ platform: 'linux', environment, terminal }).copy(text);
  expect(await copy({})).toBe('terminal');
  expect(await folder.read('tty')).toBe(`\u001b]52;c;${Buffer.from('größe').toString('base64')}\u0007`);
  await expect(copy({}, 'x'.repeat(100_000))).rejects.toThrow('Use /export');
});

test('over ssh, the terminal comes before the programs of this machine, and tmux before both', async () => {
  await using folder = await temporaryFolder();
  const script = '#!/bin/sh\ncat > "$0.copied"\n';
  for (const name of ['xclip', 'tmux']) chmodSync(await folder.write(name, script), 0o700);
  process.env.PATH = `${folder.path}:${PATH}`;
  const terminal = await folder.write('tty', '');
  const environment = { SSH_CONNECTION: '::1 1 ::1 22' };
  expect(await systemClipboard({ platform: 'linux', environment, terminal }).copy('one')).toBe('terminal');
  expect(await folder.read('tty')).toContain(']52;c;');
  expect(await systemClipboard({ platform: 'linux', environment: { ...environment, TMUX: 'x' } }).copy('two')).toBe(
    'terminal',
  );
  expect(await folder.read('tmux.copied')).toBe('two');
});

test('a machine without a clipboard is an error', async () => {
  await using folder = await temporaryFolder();
  process.env.PATH = folder.path;
  const clipboard = systemClipboard({ platform: 'darwin', environment: {}, terminal: folder.resolve('none') });
  await expect(clipboard.copy('x')).rejects.toMatchObject({ code: 'tool_failed' });
});
