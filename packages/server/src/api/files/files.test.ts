import { mkdirSync, readdirSync, realpathSync, symlinkSync, writeFileSync } from 'node:fs';
import { type TemporaryFolder, temporaryFolder, verifies } from '@qwen/testkit';
import { expect, test } from 'vitest';
import { NO_FILE_RULES } from '../../core/file-rules.js';
import { listFolder } from './list-folder.js';
import { readFile } from './read-file.js';
import { searchFiles } from './search-files.js';
import type { Workspace } from './workspace.js';
import { FileWriter } from './write-file.js';

const workspaceOf = ({ path }: TemporaryFolder, directories: readonly string[] = []): Workspace => ({
  root: realpathSync(path),
  directories,
  rules: NO_FILE_RULES,
});
const { signal } = new AbortController();

test('a file is read completely or by lines counted from 0', async () => {
  verifies('Q-73', 'Q-75', 'Q-76', 'GAP-67');
  await using folder = await temporaryFolder();
  const workspace = workspaceOf(folder);
  const text = Array.from({ length: 324 }, (_, index) => `line ${index}\n`).join('');
  await folder.write('README.md', text);
  expect(await readFile(workspace, { path: 'README.md' })).toEqual({
    content: text,
    displaySummary: 'Read lines 1-324 of 324 from README.md',
  });
  expect(await readFile(workspace, { path: 'README.md', offset: 0, limit: 100 })).toEqual({
    content: text.slice(0, text.indexOf('line 100\n')),
    displaySummary: 'Read lines 1-100 of 324 from README.md',
  });
  expect(await readFile(workspace, { path: 'README.md', offset: 323, limit: 5 })).toMatchObject({
    content: 'line 323\n',
    displaySummary: 'Read lines 324-324 of 324 from README.md',
  });
  expect(await readFile(workspace, { path: 'README.md', offset: 400 })).toEqual({
    content: '',
    displaySummary: 'Read no lines of 324 from README.md',
  });
});

test('file contents are returned unchanged: long lines, any line ends, any script', async () => {
  verifies('Q-74', 'Q-05', 'GAP-67');
  await using folder = await temporaryFolder();
  const workspace = workspaceOf(folder);
  for (const text of ['x'.repeat(10_000), 'a\r\nb\r\n', '你好，世界\n# 标题', '']) {
    await folder.write('file.txt', text);
    expect((await readFile(workspace, { path: 'file.txt' })).content).toBe(text);
  }
  await folder.write('long.txt', `${'y'.repeat(1000)}\n`.repeat(5000));
  const cut = await readFile(workspace, { path: 'long.txt' });
  expect(cut.content.length).toBeLessThanOrEqual(2 * 1024 * 1024);
  expect(cut.displaySummary).toMatch(/^Read lines 1-2\d{3} of 5000 from long\.txt, truncated$/);
});

test('binary files, folders and missing files have different errors', async () => {
  verifies('GAP-67', 'Q-11', 'S78');
  await using folder = await temporaryFolder();
  const workspace = workspaceOf(folder);
  writeFileSync(folder.resolve('picture.bin'), Buffer.from([1, 0, 2]));
  mkdirSync(folder.resolve('src'));
  await expect(readFile(workspace, { path: 'none.md' })).rejects.toMatchObject({
    code: 'file_not_found',
    message: 'Cannot read none.md: it does not exist.',
  });
  await expect(readFile(workspace, { path: 'picture.bin/x' })).rejects.toMatchObject({ code: 'file_not_found' });
  await expect(readFile(workspace, { path: 'picture.bin' })).rejects.toMatchObject({ code: 'invalid_payload' });
  await expect(readFile(workspace, { path: 'src' })).rejects.toMatchObject({ code: 'invalid_payload' });
  await expect(listFolder(workspace, 'none')).rejects.toMatchObject({ code: 'file_not_found' });
  await expect(searchFiles(workspace, { pattern: 'x', path: 'none', signal })).rejects.toMatchObject({
    code: 'file_not_found',
  });
});

test('no path leaves the workspace, and the error does not reveal what exists there', async () => {
  verifies('S65', 'S66', 'GAP-64', 'S33', 'S34');
  await using outside = await temporaryFolder();
  await using folder = await temporaryFolder();
  const workspace = workspaceOf(folder);
  await outside.write('secret.txt', 'secret');
  symlinkSync(outside.path, folder.resolve('link'));
  symlinkSync(outside.resolve('secret.txt'), folder.resolve('file-link'));
  symlinkSync(outside.resolve('new.txt'), folder.resolve('dangling'));
  const writer = new FileWriter();
  const paths = [
    '../../../../../../etc/passwd',
    '/etc/passwd',
    '/etc/not-there',
    '/proc/self/environ',
    outside.resolve('secret.txt'),
    outside.resolve('none.txt'),
    'link/secret.txt',
    'link/none.txt',
    'file-link',
    'dangling',
  ];
  const messages = new Set<string>();
  for (const path of paths) {
    const attempts = await Promise.allSettled([
      readFile(workspace, { path }),
      listFolder(workspace, path),
      searchFiles(workspace, { pattern: '.', path, signal }),
      writer.write(workspace, { path, content: 'x' }),
    ]);
    for (const attempt of attempts) messages.add(attempt.status === 'rejected' ? String(attempt.reason) : path);
  }
  expect([...messages]).toEqual(['AgentError: The path is outside the workspace of the session.']);
  expect(readdirSync(outside.path)).toEqual(['secret.txt']);
  await expect(readFile(workspace, { path: 'a\0b' })).rejects.toMatchObject({ code: 'invalid_tool_input' });
  // Nothing is decoded: these are names like others.
  for (const path of ['..%2f..%2fetc%2fpasswd', '%2e%2e/x', 'file:///etc/passwd', '..\\x']) {
    await expect(readFile(workspace, { path })).rejects.toMatchObject({ code: 'file_not_found' });
  }
});

test('added folders are part of the workspace', async () => {
  verifies('GAP-64', 'Q-37');
  await using extra = await temporaryFolder();
  await using folder = await temporaryFolder();
  const directory = realpathSync(extra.path);
  const workspace = workspaceOf(folder, [directory]);
  await extra.write('more.txt', 'needle\n');
  expect(await readFile(workspace, { path: `${directory}/more.txt` })).toMatchObject({ content: 'needle\n' });
  expect(await searchFiles(workspace, { pattern: 'needle', path: directory, signal })).toMatchObject({
    results: `${directory}/more.txt:1:needle`,
  });
});

test('a file is written completely, with its folders', async () => {
  verifies('Q-78', 'Q-79', 'Q-05', 'GAP-64');
  await using folder = await temporaryFolder();
  const workspace = workspaceOf(folder);
  const writer = new FileWriter();
  expect(await writer.write(workspace, { path: 'output.txt', content: 'Hello, World!' })).toBe(13);
  expect(await writer.write(workspace, { path: 'deep/down/中文.txt', content: '你好' })).toBe(6);
  expect(await folder.read('deep/down/中文.txt')).toBe('你好');
  await folder.write('crlf.txt', 'a\r\nb\r\n');
  expect(await writer.write(workspace, { path: 'crlf.txt', content: 'a\nb\n' })).toBe(4);
  expect(await folder.read('crlf.txt')).toBe('a\nb\n');
  const contents = Array.from({ length: 20 }, (_, index) => String(index));
  await Promise.all(contents.map((content) => writer.write(workspace, { path: 'same.txt', content })));
  // Concurrent writes have no order; each is whole, and none fails with `stale_file`.
  expect(contents).toContain(await folder.read('same.txt'));
  mkdirSync(folder.resolve('taken'));
  await expect(writer.write(workspace, { path: 'taken', content: '' })).rejects.toMatchObject({
    code: 'invalid_payload',
  });
  await expect(writer.write(workspace, { path: 'same.txt/x', content: '' })).rejects.toMatchObject({
    code: 'file_not_found',
  });
});

test.each([
  '.git/hooks/pre-commit',
  '.GIT/config',
  'sub/.git/config',
  '.qwen/settings.json',
  '.qwen/commands/x.toml',
  '.bashrc',
  'hooks-link/pre-commit',
])('%s is not written over HTTP', async (path) => {
  verifies('S68');
  await using folder = await temporaryFolder();
  mkdirSync(folder.resolve('.git/hooks'), { recursive: true });
  symlinkSync(folder.resolve('.git/hooks'), folder.resolve('hooks-link'));
  const attempt = new FileWriter().write(workspaceOf(folder), { path, content: 'touch C' });
  await expect(attempt).rejects.toMatchObject({ code: 'permission_denied' });
  expect(readdirSync(folder.resolve('.git/hooks'))).toEqual([]);
});

test('a search returns path, line and text', async () => {
  verifies('Q-80', 'Q-81', 'Q-82', 'GAP-68');
  await using folder = await temporaryFolder();
  const workspace = workspaceOf(folder);
  await folder.write('src/index.ts', `${'\n'.repeat(9)}// TODO: implement\n`);
  await folder.write('src/sub/tool.ts', '// TODO: refactor\n');
  await folder.write('ignored.ts', '// TODO: nobody sees it\n');
  await folder.write('src/ignored.ts', '// TODO: nobody sees it\n');
  await folder.write('.gitignore', 'ignored.ts\n');
  expect(await searchFiles(workspace, { pattern: 'TODO', path: 'src/', signal })).toEqual({
    results: 'src/index.ts:10:// TODO: implement\nsrc/sub/tool.ts:1:// TODO: refactor',
    displaySummary: 'Found 2 matches across 2 files',
  });
  expect(await searchFiles(workspace, { pattern: 'refac+tor', signal })).toMatchObject({
    displaySummary: 'Found 1 match across 1 file',
  });
  expect(await searchFiles(workspace, { pattern: 'TODO', maxResults: 1, signal })).toMatchObject({
    results: 'src/index.ts:10:// TODO: implement',
    displaySummary: 'Found 1 match across 1 file; more were omitted',
  });
  expect(await searchFiles(workspace, { pattern: 'TODO', path: 'src/index.ts', signal })).toMatchObject({
    results: 'src/index.ts:10:// TODO: implement',
  });
  expect(await searchFiles(workspace, { pattern: 'nowhere', signal })).toEqual({
    results: '',
    displaySummary: 'Found 0 matches across 0 files',
  });
  await expect(searchFiles(workspace, { pattern: '(', signal })).rejects.toMatchObject({ code: 'invalid_tool_input' });
});

test('a pattern that never finishes is stopped', async () => {
  verifies('S70');
  await using folder = await temporaryFolder();
  await folder.write('a.txt', `${'a'.repeat(50_000)}!\n`);
  // The look-ahead keeps ripgrep, which knows no such patterns, out of it.
  const endless = searchFiles(workspaceOf(folder), { pattern: '^(?=a)(a+)+$', signal });
  await expect(endless).rejects.toMatchObject({ code: 'search_timeout' });
}, 20_000);

test('a folder is listed with hidden names and without ignored ones', async () => {
  verifies('Q-83', 'Q-84', 'Q-85', 'GAP-69');
  await using folder = await temporaryFolder();
  const workspace = workspaceOf(folder);
  await folder.write('src/index.ts', '');
  await folder.write('src/tool.ts', '');
  await folder.write('src/components/one.ts', '');
  await folder.write('src/.hidden', '');
  await folder.write('src/out.log', '');
  await folder.write('.gitignore', '*.log\n');
  symlinkSync(folder.resolve('src/components'), folder.resolve('src/linked'));
  expect(await listFolder(workspace, 'src/')).toEqual({
    contents: '.hidden\ncomponents/\nindex.ts\nlinked/\ntool.ts',
    displaySummary: 'Listed 5 items in src/',
  });
  await folder.write('one/only.ts', '');
  expect(await listFolder(workspace, 'one')).toEqual({
    contents: 'only.ts',
    displaySummary: 'Listed 1 item in one',
  });
  await expect(listFolder(workspace, 'src/index.ts')).rejects.toMatchObject({ code: 'file_not_found' });
});
