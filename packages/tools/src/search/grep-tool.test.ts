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
])('the result is path:line: text, %s', async (_, tool) => {
  await using folder = await temporaryFolder();
  await folder.write('src/a.ts', 'x\nconst needle = 1;\n');
  await folder.write('src/a.js', 'needle\n');
  const result = await runTool(tool, { pattern: 'needle', include: '*.{ts,tsx}' }, { cwd: folder.path });
  expect(result).toMatchObject({ content: 'src/a.ts:2: const needle = 1;' });
});

test.each(['src', 'src/a.ts'])('%s can be searched alone', async (path) => {
  await using folder = await temporaryFolder();
  await folder.write('src/a.ts', 'needle\n');
  await folder.write('b.ts', 'needle\n');
  const result = await runTool(grep, { pattern: 'needle', path }, { cwd: folder.path });
  expect(result.content).toBe('src/a.ts:1: needle');
});

test.each([
  ['with ripgrep', grep],
  ['without', ownGrep],
])('lines around a match, names only and case, %s', async (_, tool) => {
  await using folder = await temporaryFolder();
  await folder.write('a.txt', '1\nNeedle\n3\n4\n5\n6\nneedle\nneedle\n');
  await folder.write('b.txt', 'needle\n');
  const content = async (input: object) =>
    (await runTool(tool, { pattern: 'needle', ...input }, { cwd: folder.path })).content;
  const around = [
    'a.txt-1- 1',
    'a.txt:2: Needle',
    'a.txt-3- 3',
    '--',
    'a.txt-6- 6',
    'a.txt:7: needle',
    'a.txt:8: needle',
    'b.txt:1: needle',
  ].join('\n');
  expect(await content({ context: 1 })).toBe(around);
  expect(await content({ '-C': 1 })).toBe(around);
  expect(await content({ files_only: true })).toBe('a.txt\nb.txt');
  expect(await content({ output_mode: 'files_with_matches', limit: 1 })).toBe(
    'a.txt\n[truncated: only the first 1 files are shown]',
  );
  expect(await content({ case_sensitive: true, path: 'a.txt' })).toBe('a.txt:7: needle\na.txt:8: needle');
});

test('files outside the workspace have absolute paths', async () => {
  await using folder = await temporaryFolder();
  await folder.write('inside/a.txt', '');
  const path = await folder.write('b.txt', 'needle\n');
  const { content } = await runTool(grep, { pattern: 'needle', path: '..' }, { cwd: folder.resolve('inside') });
  expect(content).toBe(`${path}:1: needle`);
});

test('no match is reported', async () => {
  await using folder = await temporaryFolder();
  expect(await runTool(grep, { pattern: 'needle' }, { cwd: folder.path })).toMatchObject({ content: 'No matches.' });
});

test('patterns that ripgrep rejects use the built-in engine', async () => {
  await using folder = await temporaryFolder();
  await folder.write('a.txt', 'foobar\nfoobaz\n');
  const result = await runTool(grep, { pattern: 'foo(?=baz)' }, { cwd: folder.path });
  expect(result.content).toBe('a.txt:2: foobaz');
});

test('too many matches are truncated with a note', async () => {
  verifies('F146');
  await using folder = await temporaryFolder();
  await folder.write('a.txt', 'needle\n'.repeat(300));
  const { content } = await runTool(grep, { pattern: 'needle', limit: 2 }, { cwd: folder.path });
  expect(content).toMatch(/^[^\n]*:1: needle\n[^\n]*:2: needle\n\[truncated: only the first 2 matches are shown\]$/);
});

test('a long line is truncated', async () => {
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
  expect(content).toBe('a.txt:1: needle');
});

test('the searched place is a path of the call, also through a link', async () => {
  verifies('S44');
  await using folder = await temporaryFolder();
  expect(grep.paths({ pattern: 'x', path: '../..' }, '/w/app')).toEqual([{ path: '/', access: 'read' }]);
  expect(grep.paths({ pattern: 'x' }, '/w/app')).toEqual([{ path: '/w/app', access: 'read' }]);
  await folder.write('real/a.txt', 'needle\n');
  await symlink('real', folder.resolve('link'));
  const { content } = await runTool(grep, { pattern: 'needle', path: 'link' }, { cwd: folder.path });
  expect(content).toBe('link/a.txt:1: needle');
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
