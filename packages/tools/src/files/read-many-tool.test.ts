import { symlink } from 'node:fs/promises';
import { join } from 'node:path';
import { type TemporaryFolder, temporaryFolder, verifies } from '@qwen/testkit';
import { expect, test } from 'vitest';
import { runTool, runToolForText } from '../../test/run-tool.js';
import { editTool } from './edit-tool.js';
import { FileLedger } from './file-ledger.js';
import { readManyTool } from './read-many-tool.js';

const tool = readManyTool(new FileLedger());
const read = (folder: TemporaryFolder, paths: readonly string[], more: object = {}) =>
  runToolForText(tool, { paths, ...more }, { cwd: folder.path });

/** The names of the files that were read. */
const names = (text: string, folder: TemporaryFolder) =>
  [...text.matchAll(/^--- (.*) ---$/gm)].map(([, path = '']) => path.replace(`${folder.path}/`, ''));

test('files, folders and globs are read together, each file once, in order', async () => {
  verifies('GAP-02');
  await using folder = await temporaryFolder();
  await folder.write('b.md', 'the b\n');
  await folder.write('src/one.ts', 'one\n');
  await folder.write('src/deep/two.ts', '');
  await folder.write('src/deep/x.css', 'x');
  await folder.write('docs/.hidden.md', 'hidden\n');
  const text = await read(folder, ['b.md', 'src/**/*.{ts,js}', 'docs', join(folder.path, 'src/one.ts')]);
  expect(text).toBe(
    [
      `--- ${folder.path}/b.md ---\nthe b`,
      `--- ${folder.path}/src/deep/two.ts ---\n[the file is empty]`,
      `--- ${folder.path}/src/one.ts ---\none`,
      `--- ${folder.path}/docs/.hidden.md ---\nhidden`,
    ].join('\n\n'),
  );
});

test('ignored and excluded files are omitted unless named', async () => {
  verifies('GAP-02');
  await using folder = await temporaryFolder();
  await folder.write('.gitignore', 'dist/\n*.log\n');
  await folder.write('dist/a.js', 'built');
  await folder.write('a.log', 'log');
  await folder.write('a.ts', 'a');
  await folder.write('a.test.ts', 'test');
  await folder.write('node_modules/m/index.js', 'm');
  expect(names(await read(folder, ['.'], { exclude: ['*.test.ts'] }), folder)).toEqual(['.gitignore', 'a.ts']);
  const named = await read(folder, ['a.log', 'dist/a.js', 'a.test.ts'], { exclude: ['*.test.ts'] });
  expect(names(named, folder)).toEqual(['a.log', 'dist/a.js', 'a.test.ts']);
});

test('a name with brackets is a file if one exists', async () => {
  await using folder = await temporaryFolder();
  await folder.write('app/[id]/page.tsx', 'page');
  await folder.write('app/i/page.tsx', 'other');
  expect(names(await read(folder, ['app/[id]/page.tsx']), folder)).toEqual(['app/[id]/page.tsx']);
  expect(tool.paths({ paths: ['app/[id]/page.tsx'] }, '/w')).toEqual([
    { path: '/w/app/[id]/page.tsx', access: 'read' },
    { path: '/w/app', access: 'read' },
  ]);
});

test('unreadable files are reported, the rest is read', async () => {
  await using folder = await temporaryFolder();
  await folder.write('a.txt', 'a');
  await folder.write('b.bin', Buffer.from([0, 1, 2]));
  const text = await read(folder, ['gone.txt', 'b.bin', '*.bin', '*.none', 'a.txt']);
  expect(names(text, folder)).toEqual(['a.txt']);
  expect(text).toContain(`[${folder.path}/gone.txt: it does not exist]`);
  expect(text).toContain('b.bin: not a text');
  expect(text).toContain('[*.none: no files match]');
  expect(await runTool(tool, { paths: ['gone.txt'] }, { cwd: folder.path })).toMatchObject({
    content: `No files were read.\n[${folder.path}/gone.txt: it does not exist]`,
    isError: true,
  });
  await expect(read(folder, ['**/../x'])).rejects.toThrow('must not contain ".."');
});

test('hidden files are omitted; guarded files are read only by name', async () => {
  verifies('S43');
  await using folder = await temporaryFolder();
  await folder.write('.env', 'SECRET=1');
  await folder.write('.ssh/id_rsa', 'KEY');
  await folder.write('a.txt', 'a');
  const context = {
    cwd: folder.path,
    isHidden: (path: string) => path.endsWith('.env'),
    isGuarded: (path: string) => path.includes('.ssh'),
  };
  const all = await runToolForText(tool, { paths: ['**/*'] }, context);
  expect(names(all, folder)).toEqual(['a.txt']);
  expect(all).not.toMatch(/SECRET|KEY/);
  expect(all).toContain('.ssh/id_rsa: it may contain secrets; name it explicitly to read it');
  const named = await runToolForText(tool, { paths: ['.env', '.ssh/id_rsa'] }, context);
  expect(names(named, folder)).toEqual(['.ssh/id_rsa']);
  expect(named).toContain('.env: a rule denies reading it');
});

test('links below a folder are not followed', async () => {
  verifies('S33');
  await using folder = await temporaryFolder();
  await using outside = await temporaryFolder();
  await outside.write('secret.txt', 'outside');
  await folder.write('src/a.txt', 'a');
  await symlink(outside.path, join(folder.path, 'src/link'));
  await symlink(join(outside.path, 'secret.txt'), join(folder.path, 'src/file'));
  expect(names(await read(folder, ['src', 'src/**']), folder)).toEqual(['src/a.txt']);
});

test('long files and long lists are truncated with a note', async () => {
  await using folder = await temporaryFolder();
  await folder.write('long.txt', 'line\n'.repeat(3000));
  expect(await read(folder, ['long.txt'])).toContain('[continues; use read_file with offset 2001]');
  for (let index = 0; index < 6; index += 1) await folder.write(`many/${index}.txt`, `${'y'.repeat(999)}\n`.repeat(70));
  const text = await read(folder, ['many']);
  expect(names(text, folder)).toHaveLength(5);
  expect(text).toContain('[truncated: 5 files are shown, more exist]');
  expect(Buffer.byteLength(text)).toBeLessThan(300 * 1024);
});

test('a shown file counts as read: an edit detects a later change', async () => {
  verifies('F100');
  await using folder = await temporaryFolder();
  const ledger = new FileLedger();
  await folder.write('a.txt', 'one\n');
  await runTool(readManyTool(ledger), { paths: ['*.txt'] }, { cwd: folder.path });
  await folder.write('a.txt', 'other one\n');
  const change = { file_path: 'a.txt', old_string: 'one', new_string: 'two' };
  await expect(runTool(editTool(ledger), change, { cwd: folder.path })).rejects.toMatchObject({ code: 'stale_file' });
});

test('an interrupt ends it', async () => {
  await using folder = await temporaryFolder();
  await folder.write('a.txt', 'a');
  const signal = AbortSignal.abort();
  await expect(runTool(tool, { paths: ['**'] }, { cwd: folder.path, signal })).rejects.toThrow(/aborted/);
});
