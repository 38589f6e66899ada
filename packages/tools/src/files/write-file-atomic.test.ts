import { readdir, readFile, stat, symlink, utimes, writeFile } from 'node:fs/promises';
import { temporaryFolder } from '@qwen/testkit';
import { expect, test } from 'vitest';
import { removeStaleDrafts, writeFileAtomic } from './write-file-atomic.js';

const modeOf = async (path: string) => (await stat(path)).mode & 0o777;

test('replaces content and mode, creates folders and leaves no draft', async () => {
  await using folder = await temporaryFolder();
  const path = folder.resolve('a/b/file');
  await writeFileAtomic(path, 'one', { mode: 0o666, folderMode: 0o700 });
  expect(await modeOf(path)).toBe(0o666);
  expect(await modeOf(folder.resolve('a'))).toBe(0o700);
  await writeFileAtomic(path, 'two', { mode: 0o600 });
  expect([await readFile(path, 'utf8'), await modeOf(path)]).toEqual(['two', 0o600]);
  expect(await readdir(folder.resolve('a/b'))).toEqual(['file']);
});

test('replaces a link instead of writing through it', async () => {
  await using folder = await temporaryFolder();
  await folder.write('victim', 'kept');
  await symlink('victim', folder.resolve('link'));
  await writeFileAtomic(folder.resolve('link'), 'new');
  expect([await folder.read('victim'), await folder.read('link')]).toEqual(['kept', 'new']);
});

test('keeps an existing file if it must not overwrite or the last check fails', async () => {
  await using folder = await temporaryFolder();
  const path = await folder.write('file', 'old');
  await expect(writeFileAtomic(path, 'new', { overwrite: false })).rejects.toMatchObject({ code: 'EEXIST' });
  const beforeReplace = () => Promise.reject(new Error('changed'));
  await expect(writeFileAtomic(path, 'new', { beforeReplace })).rejects.toThrow('changed');
  await expect(writeFileAtomic(folder.resolve('no/file'), 'new')).rejects.toMatchObject({ code: 'ENOENT' });
  expect(await folder.read('file')).toBe('old');
  expect(await readdir(folder.path)).toEqual(['file']);
});

test('removes old drafts and nothing else', async () => {
  await using folder = await temporaryFolder();
  const id = '01234567-89ab-4cde-8f01-23456789abcd';
  const old = [`.qwen-${id}.tmp`, `settings.json.${id}`, `s.lock.${id}.new`, `notes-${id}.md`];
  for (const name of old) {
    await writeFile(folder.resolve(name), '');
    await utimes(folder.resolve(name), 0, 0);
  }
  const fresh = `.qwen-${id.replace('0', '1')}.tmp`;
  await folder.write(fresh, '');
  await removeStaleDrafts(folder.path);
  expect(await readdir(folder.path)).toEqual([fresh, `notes-${id}.md`]);
});
