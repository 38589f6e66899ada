import { homedir } from 'node:os';
import { join } from 'node:path';
import { temporaryFolder, verifies } from '@qwen/testkit';
import { expect, test } from 'vitest';
import { findFolder, sortFolders, toAbsolutePath } from './workspace-folders.js';

test.each([
  ['/path/to', '/path/to'],
  ['./relative/path', '/base/relative/path'],
  ['../parent', '/parent'],
  ['plain', '/base/plain'],
  ['~', homedir()],
  ['~/projects', join(homedir(), 'projects')],
  ['%userprofile%', homedir()],
  ['%USERPROFILE%/projects', join(homedir(), 'projects')],
  ['%userprofile%\\projects\\mine', join(homedir(), 'projects/mine')],
  // Names that only begin like that are names.
  ['~other', '/base/~other'],
  ['%userprofile%x', '/base/%userprofile%x'],
])('%s', (path, absolute) => {
  verifies('Q-42', 'Q-43', 'Q-44', 'Q-45');
  expect(toAbsolutePath(path, '/base')).toBe(absolute);
});

test('what is no folder is said in the words of the document', async () => {
  verifies('Q-40', 'GAP-66');
  await using folder = await temporaryFolder();
  await folder.write('file', 'text');
  const base = folder.path;
  expect(await sortFolders(['.', 'file', 'nowhere', 'a\0b'], base)).toEqual({
    folders: [base],
    added: ['.'],
    errors: [
      "Error adding 'file': Directory not found",
      "Error adding 'nowhere': Directory not found",
      "Error adding 'a\0b': Directory not found",
    ],
  });
  expect(await findFolder('.', base)).toBe(base);
  await expect(findFolder('file', base)).rejects.toMatchObject({ code: 'cwd_missing' });
});
