import { readdir, readFile, symlink, writeFile } from 'node:fs/promises';
import { temporaryFolder, verifies } from '@qwen/testkit';
import { expect, test, vi } from 'vitest';
import { replaceFile } from './replace-file.js';

const GUESSED = '00000000-0000-4000-8000-000000000000';

test('a link at the temporary name is not followed', async () => {
  verifies('S45');
  await using folder = await temporaryFolder();
  await writeFile(folder.resolve('victim'), 'kept');
  await symlink(folder.resolve('victim'), folder.resolve(`.qwen-${GUESSED}.tmp`));
  const guess = vi.spyOn(crypto, 'randomUUID').mockReturnValue(GUESSED);
  try {
    const written = replaceFile({ realPath: folder.resolve('a'), bytes: Buffer.from('new'), previous: undefined });
    await expect(written).rejects.toMatchObject({ name: 'AgentError' });
  } finally {
    guess.mockRestore();
  }
  expect(await readFile(folder.resolve('victim'), 'utf8')).toBe('kept');
  expect(await readdir(folder.resolve('.'))).not.toContain('a');
});

test('temporary names are unique and removed', async () => {
  verifies('S45');
  await using folder = await temporaryFolder();
  const names = vi.spyOn(crypto, 'randomUUID');
  try {
    for (const name of ['a', 'b']) {
      await replaceFile({ realPath: folder.resolve(name), bytes: Buffer.from('new'), previous: undefined });
    }
    expect(new Set(names.mock.results.map(({ value }) => value)).size).toBe(2);
  } finally {
    names.mockRestore();
  }
  expect(await readdir(folder.resolve('.'))).toEqual(['a', 'b']);
});
