import { mkdir, rm, symlink } from 'node:fs/promises';
import { type TemporaryFolder, temporaryFolder, verifies } from '@qwen/testkit';
import { expect, test } from 'vitest';
import { FileIndex } from './file-index.js';

interface Given {
  readonly folder: TemporaryFolder;
  readonly cwd?: string;
  readonly text?: string;
  readonly signal?: AbortSignal;
  readonly isHidden?: (path: string) => boolean;
}

/** A search by a session whose workspace is `w`: what was found, and whether the files had to be gathered. */
async function search(index: FileIndex, { folder, isHidden = () => false, ...given }: Given) {
  const { cwd = folder.resolve('w'), text = '', signal = new AbortController().signal } = given;
  let waits = 0;
  const onWait = () => void (waits += 1);
  const files = index.viewedBy({ roots: () => [folder.resolve('w')], isHidden });
  const found = await files.search({ cwd, text, limit: 50, signal, onWait });
  return { found, waits };
}

test('files are gathered once and then cached', async () => {
  verifies('G-13', 'G-20');
  await using folder = await temporaryFolder();
  await folder.write('w/src/a.ts', '');
  const index = new FileIndex();
  expect(await search(index, { folder })).toEqual({ found: ['src/', 'src/a.ts'], waits: 1 });
  expect(await search(index, { folder, text: 'a' })).toEqual({ found: ['src/a.ts'], waits: 0 });
  await index.close();
});

test('ignored files are not suggested', async () => {
  verifies('GAP-30');
  await using folder = await temporaryFolder();
  await folder.write('w/.gitignore', 'dist/\n*.log\n');
  await folder.write('w/.qwenignore', '!keep.log\n');
  await folder.write('w/a/.gitignore', 'secret\n');
  for (const name of ['dist/x', 'x.log', 'keep.log', 'a/secret', 'a/b', 'node_modules/m/x']) {
    await folder.write(`w/${name}`, '');
  }
  const index = new FileIndex();
  expect((await search(index, { folder })).found).toEqual(['a/', 'keep.log', 'a/b']);
  await index.close();
});

test('files hidden by a rule are not suggested', async () => {
  await using folder = await temporaryFolder();
  await folder.write('w/a', '');
  await folder.write('w/b', '');
  const index = new FileIndex();
  const isHidden = (path: string) => path === folder.resolve('w/b');
  expect((await search(index, { folder, isHidden })).found).toEqual(['a']);
  expect((await search(index, { folder })).found).toEqual(['a', 'b']);
  await index.close();
});

test('a stale list is served while the next one is gathered', async () => {
  await using folder = await temporaryFolder();
  await folder.write('w/a', '');
  let nowMs = 0;
  const index = new FileIndex({ nowMs: () => nowMs });
  await search(index, { folder });
  await folder.write('w/b', '');
  nowMs = 9_999;
  expect((await search(index, { folder })).found).toEqual(['a']);
  nowMs = 10_000;
  expect(await search(index, { folder })).toEqual({ found: ['a'], waits: 0 });
  await expect.poll(async () => (await search(index, { folder })).found).toEqual(['a', 'b']);
  await index.close();
});

test.each([
  ['outside of the workspace', '../outside', 'permission_denied'],
  ['behind a link that leads out', 'link', 'permission_denied'],
  ['in a folder whose name only begins like the workspace', '../w-evil', 'permission_denied'],
  ['in a folder that is gone', 'gone', 'cwd_missing'],
  ['in a file', 'file', 'cwd_missing'],
])('no search runs %s', async (_where, cwd, code) => {
  verifies('S31', 'S33', 'G-05');
  await using folder = await temporaryFolder();
  await folder.write('w/file', '');
  await folder.write('outside/secret', '');
  await folder.write('w-evil/secret', '');
  await symlink('../outside', folder.resolve('w/link'));
  const index = new FileIndex();
  await expect(search(index, { folder, cwd: folder.resolve('w', cwd) })).rejects.toMatchObject({ code });
  await index.close();
});

test('four folders are cached, and an evicted one is gathered again', async () => {
  await using folder = await temporaryFolder();
  const index = new FileIndex();
  const waits: number[] = [];
  for (const name of ['a', 'b', 'c', 'd', 'a', 'e', 'a', 'b']) {
    await mkdir(folder.resolve('w', name), { recursive: true });
    waits.push((await search(index, { folder, cwd: folder.resolve('w', name) })).waits);
  }
  expect(waits).toEqual([1, 1, 1, 1, 0, 1, 0, 1]);
  await index.close();
});

test('an aborted search rejects at once, and others get their answer', async () => {
  await using folder = await temporaryFolder();
  await folder.write('w/a', '');
  const index = new FileIndex();
  const abort = new AbortController();
  const reason = new Error('overtaken');
  const overtaken = search(index, { folder, signal: abort.signal });
  const other = search(index, { folder });
  abort.abort(reason);
  await expect(overtaken).rejects.toBe(reason);
  expect((await other).found).toEqual(['a']);
  await index.close();
});

test('close() stops gathering and rejects waiting searches', async () => {
  await using folder = await temporaryFolder();
  for (let number = 0; number < 50; number += 1) await folder.write(`w/${number}/x`, '');
  const index = new FileIndex();
  const files = index.viewedBy({ roots: () => [folder.resolve('w')] });
  const { promise: waiting, resolve: onWait } = Promise.withResolvers<void>();
  const signal = new AbortController().signal;
  const found = files.search({ cwd: folder.resolve('w'), text: '', limit: 1, signal, onWait });
  const outcome = found.then(
    () => 'answered',
    (error: unknown) => error,
  );
  await waiting;
  await index.close();
  expect(await outcome).toMatchObject({ code: 'aborted' });
  await rm(folder.resolve('w'), { recursive: true });
  await expect(search(index, { folder })).rejects.toMatchObject({ code: 'cwd_missing' });
});
