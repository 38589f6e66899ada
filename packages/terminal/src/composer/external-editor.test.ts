import { chmodSync } from 'node:fs';
import { readdir } from 'node:fs/promises';
import { temporaryFolder } from '@qwen/testkit';
import { afterEach, expect, test } from 'vitest';
import { commandWords, defaultEditor, editExternally } from './external-editor.js';

const { TMPDIR } = process.env;
afterEach(() => {
  if (TMPDIR === undefined) delete process.env.TMPDIR;
  else process.env.TMPDIR = TMPDIR;
});

/** Notes the mode of the file and replaces the file, as editors do. */
const EDITOR = `#!/usr/bin/env node
const { readFileSync, renameSync, statSync, writeFileSync } = require('node:fs');
const [wait, path] = process.argv.slice(2);
if (wait !== '--wait') process.exit(3);
writeFileSync(__dirname + '/mode', (statSync(path).mode & 0o777).toString(8));
writeFileSync(path + '.new', 'changed ' + readFileSync(path, 'utf8') + '\\n');
renameSync(path + '.new', path);
`;

test('passes the text to the editor in a private file and returns the result', async () => {
  await using folder = await temporaryFolder();
  process.env.TMPDIR = folder.path;
  const editor = await folder.write('my editor', EDITOR);
  chmodSync(editor, 0o700);
  expect(await editExternally('größe', `"${editor}" --wait`)).toBe('changed größe');
  expect(await folder.read('mode')).toBe('600');
  expect((await readdir(folder.path)).filter((name) => name.startsWith('qwen-'))).toEqual([]);
});

test('reports a failing or missing editor and removes its file', async () => {
  await using folder = await temporaryFolder();
  process.env.TMPDIR = folder.path;
  const editor = await folder.write('failing', '#!/bin/sh\nexit 7\n');
  chmodSync(editor, 0o700);
  await expect(editExternally('x', editor)).rejects.toMatchObject({
    code: 'tool_failed',
    message: `The editor ${editor} ended with exit code 7; the text is unchanged.`,
  });
  await expect(editExternally('x', folder.resolve('missing'))).rejects.toMatchObject({ code: 'tool_failed' });
  await expect(editExternally('x', ' ')).rejects.toMatchObject({ code: 'tool_failed' });
  expect((await readdir(folder.path)).filter((name) => name.startsWith('qwen-'))).toEqual([]);
});

test('runs the editor without a shell', async () => {
  await using folder = await temporaryFolder();
  await expect(editExternally('x', `true; touch ${folder.resolve('made')}`)).rejects.toMatchObject({
    code: 'tool_failed',
  });
  expect(await readdir(folder.path)).toEqual([]);
  expect(commandWords('code --wait "a b" \'c d\' e"f g"h $HOME')).toEqual([
    'code',
    '--wait',
    'a b',
    'c d',
    'ef gh',
    '$HOME',
  ]);
  expect([defaultEditor('win32'), defaultEditor('linux')]).toEqual(['notepad', 'vi']);
});
