import { symlink, writeFile } from 'node:fs/promises';
import { temporaryFolder, verifies } from '@qwen/testkit';
import { expect, test } from 'vitest';
import { runTool } from '../../test/run-tool.js';
import { listTool } from './list-tool.js';

const list = listTool();

test('folders come first, links are marked, ignored names are counted', async () => {
  await using folder = await temporaryFolder();
  await folder.write('b.txt', '');
  await folder.write('a.txt', '');
  await folder.write('z/x', '');
  await folder.write('dist/x', '');
  await folder.write('.gitignore', 'dist/\n');
  await symlink('z', folder.resolve('link'));
  const { content } = await runTool(list, { path: '.', ignore: ['b.*'] }, { cwd: folder.path });
  expect(content).toBe('z/\n.gitignore\na.txt\nlink@\n[2 ignored names are not shown]');
});

test('an empty folder is reported, a file is an error', async () => {
  await using folder = await temporaryFolder();
  expect(await runTool(list, { path: folder.path }, { cwd: '/' })).toMatchObject({ content: '[the folder is empty]' });
  const path = await folder.write('a', '');
  await expect(runTool(list, { path }, { cwd: folder.path })).rejects.toThrow('Cannot list');
});

test('a long listing is cut with a note', async () => {
  verifies('F146');
  await using folder = await temporaryFolder();
  await Promise.all(Array.from({ length: 1100 }, (_, index) => folder.write(`${index}`, '')));
  const { content } = await runTool(list, { path: '.' }, { cwd: folder.path });
  expect(content).toMatch(/\n\[truncated: 1000 of 1100 names are shown\]$/);
});

test('a name that is not UTF-8 is shown with a note', async () => {
  verifies('F154');
  await using folder = await temporaryFolder();
  await writeFile(Buffer.concat([Buffer.from(`${folder.path}/`), Buffer.from([0x78, 0xff])]), '');
  const { content } = await runTool(list, { path: '.' }, { cwd: folder.path });
  expect(content).toBe('x\ufffd [the name is not UTF-8]');
});
