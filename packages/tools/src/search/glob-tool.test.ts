import { utimes, writeFile } from 'node:fs/promises';
import { temporaryFolder, verifies } from '@qwen/testkit';
import { expect, test } from 'vitest';
import { runTool, runToolForText } from '../../test/run-tool.js';
import { globTool } from './glob-tool.js';

const glob = globTool();

test('files are listed newest first, without ignored ones', async () => {
  await using folder = await temporaryFolder();
  await folder.write('.gitignore', 'dist/\n');
  for (const [index, name] of ['old.ts', 'src/new.ts', 'src/mid.ts', 'dist/x.ts'].entries()) {
    const path = await folder.write(name, '');
    const ages = [100, 300, 200, 400];
    await utimes(path, ages[index] ?? 0, ages[index] ?? 0);
  }
  const content = await runToolForText(glob, { pattern: '**/*.ts' }, { cwd: folder.path });
  expect(content).toBe(['src/new.ts', 'src/mid.ts', 'old.ts'].map((name) => folder.resolve(name)).join('\n'));
});

test('files listed in .git/info/exclude are omitted', async () => {
  await using folder = await temporaryFolder();
  await folder.write('.git/info/exclude', 'notes.ts\n');
  await folder.write('src/notes.ts', '');
  await folder.write('src/a.ts', '');
  const content = await runToolForText(glob, { pattern: '**/*.ts' }, { cwd: folder.path });
  expect(content).toBe(folder.resolve('src/a.ts'));
});

test('the literal prefix is a path of the call, and may be an ignored folder', async () => {
  verifies('S44');
  await using folder = await temporaryFolder();
  await folder.write('node_modules/p/a.js', '');
  expect(glob.paths({ pattern: '../../**' }, '/w/app')).toEqual([{ path: '/', access: 'read' }]);
  expect(glob.paths({ pattern: '/etc/*' }, '/w/app')).toEqual([{ path: '/etc', access: 'read' }]);
  expect(glob.paths({ pattern: '*', path: '/etc' }, '/w/app')).toEqual([{ path: '/etc', access: 'read' }]);
  const content = await runToolForText(glob, { pattern: 'node_modules/p/*.js' }, { cwd: folder.path });
  expect(content).toBe(folder.resolve('node_modules/p/a.js'));
});

test('reports an empty result, a missing folder and a file in place of a folder', async () => {
  await using folder = await temporaryFolder();
  await folder.write('a', '');
  const find = (pattern: string, path?: string) =>
    runTool(glob, { pattern, ...(path && { path }) }, { cwd: folder.path });
  expect(await find('*.ts')).toMatchObject({ content: 'No files found.' });
  await expect(find('*', 'no')).rejects.toThrow('it does not exist');
  await expect(find('*', 'a')).rejects.toThrow('is not a directory');
});

test('a long list is truncated with a note', async () => {
  verifies('F146');
  await using folder = await temporaryFolder();
  await Promise.all(Array.from({ length: 250 }, (_, index) => folder.write(`${index}.txt`, '')));
  const content = await runToolForText(glob, { pattern: '*.txt' }, { cwd: folder.path });
  expect(content).toMatch(/\n\[truncated: 200 of 250 files are shown\]$/);
});

test('names that are not UTF-8 or contain line breaks are shown on one line each', async () => {
  verifies('F154', 'S46');
  await using folder = await temporaryFolder();
  await writeFile(Buffer.concat([Buffer.from(`${folder.path}/`), Buffer.from([0x78, 0xff])]), '');
  await folder.write('a\nb', '');
  const content = await runToolForText(glob, { pattern: '*' }, { cwd: folder.path });
  expect(content.split('\n').toSorted()).toEqual([folder.resolve('a\\u000ab'), folder.resolve('x\ufffd')]);
});

test('files that a rule hides are omitted', async () => {
  await using folder = await temporaryFolder();
  const secret = await folder.write('.env', '');
  await folder.write('a', '');
  const content = await runToolForText(
    glob,
    { pattern: '*' },
    { cwd: folder.path, isHidden: (path) => path === secret },
  );
  expect(content).toBe(folder.resolve('a'));
});
