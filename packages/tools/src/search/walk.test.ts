import { symlink } from 'node:fs/promises';
import { temporaryFolder, verifies } from '@qwen/testkit';
import { expect, test } from 'vitest';
import { walkFiles } from './walk.js';

async function walk(root: string, options: { maxEntries?: number; signal?: AbortSignal } = {}) {
  const names: string[] = [];
  let cuts = 0;
  const { maxEntries = 1000, signal = new AbortController().signal } = options;
  const onCut = () => {
    cuts += 1;
  };
  for await (const file of walkFiles({ root, maxEntries, signal, onCut })) names.push(file.names.join('/'));
  return { names, cuts };
}

test('files come folder by folder in the order of the names', async () => {
  await using folder = await temporaryFolder();
  for (const name of ['b', 'a/z', 'a/b/c', 'a-', 'a.txt']) await folder.write(name, '');
  expect(await walk(folder.path)).toEqual({ names: ['a/b/c', 'a/z', 'a-', 'a.txt', 'b'], cuts: 0 });
});

test('links in a circle end, and a link out of the folder is not followed', async () => {
  verifies('F146', 'S44');
  await using folder = await temporaryFolder();
  await folder.write('w/a', '');
  await folder.write('outside/secret', '');
  await symlink('..', folder.resolve('w/up'));
  await symlink('../outside', folder.resolve('w/out'));
  expect(await walk(folder.resolve('w'))).toEqual({ names: ['a'], cuts: 0 });
});

test('a tree with more entries than allowed is cut, and it says so once', async () => {
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
