import { symlink } from 'node:fs/promises';
import { temporaryFolder, verifies } from '@qwen/testkit';
import { expect, test } from 'vitest';
import { createFileReferences } from './file-references.js';
import { createReferenceReader } from './reference-reader.js';

async function read(path: string) {
  await using folder = await temporaryFolder();
  await folder.write('w/a b.md', 'A');
  await folder.write('w/docs/c.md', 'C');
  await folder.write('w/.gitignore', '*.log');
  await folder.write('w/x.log', 'X');
  await folder.write('secret', 'SECRET');
  const isHidden = (name: string) => name.endsWith('.env');
  await folder.write('w/.env', 'KEY');
  await folder.write('w/.ssh/id_rsa', 'KEY');
  await folder.write('w/keys/id_ed25519', 'KEY');
  await symlink('.ssh/id_rsa', folder.resolve('w/link'));
  const reader = createReferenceReader(createFileReferences({ cwd: folder.resolve('w'), isHidden }));
  // Awaited here: the folder must stay until it was read.
  return await reader.read(path, new AbortController().signal);
}

test.each([
  ['a file whose name has blanks', 'a b.md', 'a b.md:\n```\nA\n```'],
  ['a folder', 'docs', 'docs/c.md:\n```\nC\n```'],
  ['a glob', '**/c.*', 'docs/c.md:\n```\nC\n```'],
])('%s', async (_what, path, text) => {
  verifies('GAP-79');
  expect(await read(path)).toEqual({ content: [{ type: 'text', text }], warnings: [] });
});

test.each([
  ['outside of the workspace', '../secret', 'permission_denied'],
  ['that a rule hides', '.env', 'permission_denied'],
  ['to a key', '.ssh/id_rsa', 'permission_denied'],
  ['to a folder of keys', '.ssh', 'permission_denied'],
  ['of a link to a key', 'link', 'permission_denied'],
  ['that only keys match', '**/id_*', 'invalid_payload'],
  ['to a folder with keys alone', 'keys', 'invalid_payload'],
  ['that is missing', 'nope', 'invalid_payload'],
  ['that no file matches', '*.css', 'invalid_payload'],
])('a path %s is an error', async (_what, path, code) => {
  verifies('GAP-79');
  await expect(read(path)).rejects.toMatchObject({ code });
});

test('an ignored file is a warning', async () => {
  expect(await read('x.log')).toEqual({
    content: [],
    warnings: ['x.log is ignored by git or .qwenignore and was not read.'],
  });
});
