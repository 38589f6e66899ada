import { symlink } from 'node:fs/promises';
import { temporaryFolder, verifies } from '@qwen/testkit';
import { expect, test } from 'vitest';
import { walkFiles } from './walk.js';

interface Limits {
  maxEntries?: number;
  signal?: AbortSignal;
  within?: readonly string[];
}

async function walk(root: string, options: Limits = {}) {
  const names: string[] = [];
  let cuts = 0;
  const { maxEntries = 1000, signal = new AbortController().signal, within = [] } = options;
  const onCut = () => {
    cuts += 1;
  };
  for await (const file of walkFiles({ root, within, maxEntries, signal, onCut })) names.push(file.names.join('/'));
  return { names, cuts };
}

test('files are listed folder by folder in name order', async () => {
  await using folder = await temporaryFolder();
  for (const name of ['b', 'a/z', 'a/b/c', 'a-', 'a.txt']) await folder.write(name, '');
  expect(await walk(folder.path)).toEqual({ names: ['a/b/c', 'a/z', 'a-', 'a.txt', 'b'], cuts: 0 });
});

test('link cycles end, and a link out of the folder is not followed', async () => {
  verifies('F146', 'S44');
  await using folder = await temporaryFolder();
  await folder.write('w/a', '');
  await folder.write('outside/secret', '');
  await symlink('..', folder.resolve('w/up'));
  await symlink('../outside', folder.resolve('w/out'));
  expect(await walk(folder.resolve('w'))).toEqual({ names: ['a'], cuts: 0 });
});

test('a tree with too many entries is cut and reported once', async () => {
  verifies('F146');
  await using folder = await temporaryFolder();
  for (let index = 0; index < 30; index += 1) await folder.write(`${index % 3}/${index}`, '');
  const { names, cuts } = await walk(folder.path, { maxEntries: 20 });
  expect(names.length).toBeLessThan(20);
  expect(cuts).toBe(1);
});

test('an aborted walk ends', async () => {
  await using folder = await temporaryFolder();
  await folder.write('a', '');
  expect(await walk(folder.path, { signal: AbortSignal.abort() })).toEqual({ names: [], cuts: 0 });
});

test('a walk of one folder applies the rules of its parents and reads no sibling', async () => {
  verifies('GAP-30');
  await using folder = await temporaryFolder();
  await folder.write('.gitignore', '*.log\n');
  for (const name of ['a/b/one', 'a/b/two.log', 'a/three', 'b/four']) await folder.write(name, '');
  const { names } = await walk(folder.path, { within: ['a', 'b'] });
  expect(names).toEqual(['a/b/one']);
});

test('a folder that searches skip is walked on request', async () => {
  await using folder = await temporaryFolder();
  await folder.write('node_modules/x/index.js', '');
  expect((await walk(folder.path)).names).toEqual([]);
  expect((await walk(folder.path, { within: ['node_modules', 'x'] })).names).toEqual(['node_modules/x/index.js']);
});
