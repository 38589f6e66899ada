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
  await systemClipboard('linux').copy('größe\n');
  expect(await folder.read('copied')).toBe('größe\n');
  expect(await folder.read('args')).toBe('-selection clipboard\n');
});

test('a machine without a clipboard program is an error', async () => {
  await using folder = await temporaryFolder();
  process.env.PATH = folder.path;
  await expect(systemClipboard('darwin').copy('x')).rejects.toMatchObject({ code: 'tool_failed' });
});
