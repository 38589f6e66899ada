import { symlink } from 'node:fs/promises';
import { temporaryFolder, verifies } from '@qwen/testkit';
import { expect, test } from 'vitest';
import { runTool } from '../../test/run-tool.js';
import { findSearchEngine } from './find-search-engine.js';
import { grepTool } from './grep-tool.js';
import { searchByWalking } from './walking-search.js';

const grep = grepTool(findSearchEngine);
const ownGrep = grepTool(() => Promise.resolve(searchByWalking));

test.each([
  ['with ripgrep', grep],
  ['without', ownGrep],
])('the answer is path:line: text, %s', async (_, tool) => {
  await using folder = await temporaryFolder();
  await folder.write('src/a.ts', 'x\nconst needle = 1;\n');
  await folder.write('src/a.js', 'needle\n');
  const result = await runTool(tool, { pattern: 'needle', include: '*.{ts,tsx}' }, { cwd: folder.path });
  expect(result).toEqual({ content: `${folder.resolve('src/a.ts')}:2: const needle = 1;` });
});

test.each(['src', 'src/a.ts'])('%s can be searched alone', async (path) => {
  await using folder = await temporaryFolder();
  await folder.write('src/a.ts', 'needle\n');
  await folder.write('b.ts', 'needle\n');
  const result = await runTool(grep, { pattern: 'needle', path }, { cwd: folder.path });
  expect(result.content).toBe(`${folder.resolve('src/a.ts')}:1: needle`);
});

test('no match is reported', async () => {
  await using folder = await temporaryFolder();
  expect(await runTool(grep, { pattern: 'needle' }, { cwd: folder.path })).toEqual({ content: 'No matches.' });
});

test('patterns that ripgrep rejects use our own engine', async () => {
  await using folder = await temporaryFolder();
  await folder.write('a.txt', 'foobar\nfoobaz\n');
  const result = await runTool(grep, { pattern: 'foo(?=baz)' }, { cwd: folder.path });
  expect(result.content).toBe(`${folder.resolve('a.txt')}:2: foobaz`);
});

test('too many matches are cut with a note', async () => {
  verifies('F146');
  await using folder = await temporaryFolder();
  await folder.write('a.txt', 'needle\n'.repeat(300));
  const { content } = await runTool(grep, { pattern: 'needle', limit: 2 }, { cwd: folder.path });
  expect(content).toMatch(/^[^\n]*:1: needle\n[^\n]*:2: needle\n\[truncated: only the first 2 matches are shown\]$/);
});

test('a long line is cut', async () => {
  await using folder = await temporaryFolder();
  await folder.write('a.txt', `needle ${'x'.repeat(100_000)}\n`);
  const { content } = await runTool(grep, { pattern: 'needle' }, { cwd: folder.path });
  expect(content.length).toBeLessThan(1000);
});

test.each([
  ['with ripgrep', grep],
  ['without', ownGrep],
])('files that a rule hides are not searched, %s', async (_, tool) => {
  await using folder = await temporaryFolder();
  const secret = await folder.write('.env', 'needle=1\n');
  await folder.write('a.txt', 'needle\n');
  const context = { cwd: folder.path, isHidden: (realPath: string) => realPath === secret };
  const { content } = await runTool(tool, { pattern: 'needle' }, context);
  expect(content).toBe(`${folder.resolve('a.txt')}:1: needle`);
});

test('the place searched is a path of the call, also by way of a link', async () => {
  verifies('S44');
  await using folder = await temporaryFolder();
  expect(grep.paths({ pattern: 'x', path: '../..' }, '/w/app')).toEqual([{ path: '/', access: 'read' }]);
  expect(grep.paths({ pattern: 'x' }, '/w/app')).toEqual([{ path: '/w/app', access: 'read' }]);
  await folder.write('real/a.txt', 'needle\n');
  await symlink('real', folder.resolve('link'));
  const { content } = await runTool(grep, { pattern: 'needle', path: 'link' }, { cwd: folder.path });
  expect(content).toBe(`${folder.resolve('link/a.txt')}:1: needle`);
});

test('a missing place is an error', async () => {
  await using folder = await temporaryFolder();
  const search = runTool(grep, { pattern: 'x', path: 'no' }, { cwd: folder.path });
  await expect(search).rejects.toThrow('it does not exist');
});

test('an aborted turn ends the search', async () => {
  await using folder = await temporaryFolder();
  const signal = AbortSignal.abort();
  await expect(runTool(grep, { pattern: 'x' }, { cwd: folder.path, signal })).rejects.toThrow('aborted');
});
