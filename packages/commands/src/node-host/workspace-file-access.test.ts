import { chmodSync, mkdirSync, readdirSync, statSync, symlinkSync } from 'node:fs';
import { temporaryFolder } from '@qwen/testkit';
import { createPathResolver } from '@qwen/tools';
import { expect, test } from 'vitest';
import { workspaceFiles } from './workspace-file-access.js';

test('files are read and written inside the workspace only', async () => {
  await using outside = await temporaryFolder();
  await using folder = await temporaryFolder();
  const files = workspaceFiles({ cwd: folder.path, paths: createPathResolver() });
  expect(await files.read('notes/a.md')).toBeUndefined();
  expect(await files.write('notes/a.md', 'one')).toBe(folder.resolve('notes', 'a.md'));
  await files.write('notes/a.md', 'two');
  expect(await files.read('notes/a.md')).toBe('two');
  expect(await files.read('notes/a.md/b')).toBeUndefined();
  symlinkSync(outside.path, folder.resolve('out'));
  for (const path of ['../x', outside.resolve('x'), 'out/x']) {
    await expect(files.write(path, 'x')).rejects.toMatchObject({ code: 'permission_denied' });
    await expect(files.read(path)).rejects.toMatchObject({ code: 'permission_denied' });
  }
  await expect(files.read('notes')).rejects.toMatchObject({ code: 'tool_failed' });
  mkdirSync(folder.resolve('taken'));
  await expect(files.write('taken', 'x')).rejects.toMatchObject({ code: 'storage_unwritable' });
  // A failed write leaves no temporary file.
  expect(readdirSync(folder.path).toSorted()).toEqual(['notes', 'out', 'taken']);
});

test('a file over 4 MiB is not read', async () => {
  await using folder = await temporaryFolder();
  const files = workspaceFiles({ cwd: folder.path, paths: createPathResolver() });
  await folder.write('log', 'x'.repeat(4 * 1024 * 1024 + 1));
  await expect(files.read('log')).rejects.toMatchObject({
    code: 'tool_failed',
    message: 'log is too large: 4194305 bytes, the limit is 4194304.',
  });
});

test('the mode of an existing file is kept', async () => {
  await using folder = await temporaryFolder();
  const files = workspaceFiles({ cwd: folder.path, paths: createPathResolver() });
  chmodSync(await folder.write('mine.md', 'x'), 0o600);
  await files.write('mine.md', 'y');
  expect(statSync(folder.resolve('mine.md')).mode & 0o777).toBe(0o600);
});
