import { readdir, readFile, stat, symlink, writeFile } from 'node:fs/promises';
import { temporaryFolder, verifies } from '@qwen/testkit';
import { expect, test, vi } from 'vitest';
import { replaceFile } from './private-file.js';

test('a link at the name of a temporary file is not followed', async () => {
  verifies('S45');
  await using folder = await temporaryFolder();
  const guessed = '00000000-0000-4000-8000-000000000000';
  await writeFile(folder.resolve('victim'), 'kept');
  await symlink(folder.resolve('victim'), folder.resolve(`.qwen-${guessed}.tmp`));
  const guess = vi.spyOn(crypto, 'randomUUID').mockReturnValue(guessed);
  try {
    await expect(replaceFile(folder.resolve('tokens.json'), '{}')).rejects.toMatchObject({
      code: 'storage_unwritable',
    });
  } finally {
    guess.mockRestore();
  }
  expect(await readFile(folder.resolve('victim'), 'utf8')).toBe('kept');
  expect(await readdir(folder.resolve('.'))).not.toContain('tokens.json');
});

test('a file is replaced in its own folder, readable by its owner only, and a link in its place is not followed', async () => {
  verifies('S45');
  await using folder = await temporaryFolder();
  await writeFile(folder.resolve('victim'), 'kept');
  await symlink(folder.resolve('victim'), folder.resolve('tokens.json'));
  await replaceFile(folder.resolve('tokens.json'), '{}');
  expect(await readFile(folder.resolve('victim'), 'utf8')).toBe('kept');
  expect(await readFile(folder.resolve('tokens.json'), 'utf8')).toBe('{}');
  expect((await stat(folder.resolve('tokens.json'))).mode & 0o777).toBe(0o600);
  expect(await readdir(folder.resolve('.'))).toEqual(['tokens.json', 'victim']);
});
