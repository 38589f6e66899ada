import { chmod, mkdir, readdir, readFile, rename, rm, stat, symlink, unlink, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { temporaryFolder } from '@qwen/testkit';
import { expect, test } from 'vitest';
import type { Notice } from '../notice.js';
import { FileHistory } from './file-history.js';

async function openHistory(options: { readonly maxBytes?: number } = {}) {
  const folder = await temporaryFolder();
  const workspace = folder.resolve('workspace');
  await mkdir(workspace);
  const notices: Notice[] = [];
  const messageIds: string[] = [];
  const create = () =>
    new FileHistory({
      folder: folder.resolve('sessions', 's.files'),
      roots: [workspace],
      messageIds,
      announce: (notice) => void notices.push(notice),
      ...options,
    });
  let history = create();
  const pathOf = (name: string) => join(workspace, name);
  return {
    folder,
    notices,
    messageIds,
    pathOf,
    copies: () => readdir(folder.resolve('sessions', 's.files', 'copies')),
    write: (name: string, data: string | Uint8Array) => writeFile(pathOf(name), data),
    text: (name: string) => readFile(pathOf(name), 'utf8').catch(() => undefined),
    begin: (messageId: string) => void messageIds.push(messageId),
    /** As a tool would. */
    change: async (name: string, work: (path: string) => Promise<unknown>) => {
      const realPath = pathOf(name);
      const end = await history.beforeCall({
        paths: [{ path: realPath, realPath, insideRoots: true, access: 'write' }],
      });
      await work(realPath);
      await end();
    },
    preview: (messageId: string) => history.preview(messageId),
    restore: (messageId: string) => history.restore(messageId),
    /** As after a restart of the program. */
    reopen: () => {
      history = create();
    },
    [Symbol.asyncDispose]: () => folder[Symbol.asyncDispose](),
  };
}

const actionsOf = ({ files }: Awaited<ReturnType<FileHistory['preview']>>) =>
  files.map(({ path, action }) => `${action} ${path.split('/').at(-1)}`);

test('files are restored byte for byte: edited, new and deleted ones, modes, binary content, line ends', async () => {
  await using history = await openHistory();
  const binary = Uint8Array.from({ length: 300 }, (_, index) => index % 256);
  await history.write('edited.txt', '\uFEFFone\r\ntwo\r\n');
  await history.write('tool.sh', '#!/bin/sh\n');
  await chmod(history.pathOf('tool.sh'), 0o751);
  await history.write('image.bin', binary);
  history.begin('first');
  await history.change('edited.txt', (path) => writeFile(path, 'one\nthree\n'));
  await history.change('edited.txt', (path) => writeFile(path, 'one\nfour\n'));
  history.begin('second');
  await history.change('tool.sh', unlink);
  await history.change('image.bin', (path) => writeFile(path, 'text'));
  await history.change('deep/er/new.txt', async (path) => {
    await mkdir(dirname(path), { recursive: true });
    await writeFile(path, 'new\n');
  });
  const later = await history.preview('second');
  expect(actionsOf(later)).toEqual(['delete new.txt', 'restore image.bin', 'recreate tool.sh']);
  expect(later).toMatchObject({ insertions: 1, deletions: 1 });
  history.reopen();
  const done = await history.restore('first');
  expect(actionsOf(done)).toEqual(['delete new.txt', 'restore edited.txt', 'restore image.bin', 'recreate tool.sh']);
  expect(await readFile(history.pathOf('edited.txt'))).toEqual(Buffer.from('\uFEFFone\r\ntwo\r\n'));
  expect(await readFile(history.pathOf('image.bin'))).toEqual(Buffer.from(binary));
  expect((await stat(history.pathOf('tool.sh'))).mode & 0o7777).toBe(0o751);
  expect(await readdir(history.pathOf('.'))).toEqual(['edited.txt', 'image.bin', 'tool.sh']);
  expect((await history.preview('first')).files).toEqual([]);
  expect(done.files.some(({ changedSince, refused }) => changedSince ?? refused)).toBe(false);
});

test('what others changed is reported, replaced only with a copy', async () => {
  await using history = await openHistory();
  await history.write('since.txt', 'old');
  await history.write('between.txt', 'old');
  await history.write('deleted.txt', 'old');
  history.begin('m');
  for (const name of ['since.txt', 'between.txt', 'deleted.txt']) {
    await history.change(name, (path) => writeFile(path, 'by the tool'));
  }
  await history.write('since.txt', 'by a person');
  await history.write('between.txt', 'by a person');
  await history.change('between.txt', (path) => writeFile(path, 'by a person and the tool'));
  await rm(history.pathOf('deleted.txt'));
  expect((await history.preview('m')).files.map(({ changedSince }) => changedSince)).toEqual([true, true, true]);
  const { files } = await history.restore('m');
  const copies = await Promise.all(files.map(async ({ copy }) => copy && readFile(copy, 'utf8')));
  expect(copies).toEqual(['by a person and the tool', undefined, 'by a person']);
  for (const name of ['since.txt', 'between.txt', 'deleted.txt']) expect(await history.text(name)).toBe('old');
});

test('paths outside, protected files, links and folders in the way are refused', async () => {
  await using history = await openHistory();
  await mkdir(history.pathOf('folder'));
  for (const name of ['link.txt', 'folder/in.txt', 'file.txt', '.npmrc', '../outside.txt']) {
    await history.write(name, 'old');
  }
  history.begin('m');
  for (const name of ['link.txt', 'folder/in.txt', 'file.txt', '.npmrc', '../outside.txt']) {
    await history.change(name, (path) => writeFile(path, 'new'));
  }
  await mkdir(history.folder.resolve('elsewhere'));
  await writeFile(history.folder.resolve('elsewhere', 'in.txt'), 'precious');
  await rename(history.pathOf('folder'), history.pathOf('moved'));
  await symlink(history.folder.resolve('elsewhere'), history.pathOf('folder'));
  await unlink(history.pathOf('link.txt'));
  await symlink(history.folder.resolve('elsewhere', 'in.txt'), history.pathOf('link.txt'));
  await unlink(history.pathOf('file.txt'));
  await mkdir(history.pathOf('file.txt'));
  const { files } = await history.restore('m');
  expect(Object.fromEntries(files.map(({ path, refused }) => [path.split('/').at(-1), refused]))).toEqual({
    '.npmrc': 'It is a protected file.',
    'file.txt': 'It cannot be replaced: It is not a file.',
    'in.txt': 'Its path now leads elsewhere.',
    'link.txt': 'Its path now leads elsewhere.',
    'outside.txt': 'It is outside of the workspace.',
  });
  expect(await readFile(history.folder.resolve('elsewhere', 'in.txt'), 'utf8')).toBe('precious');
  expect(await readFile(history.folder.resolve('outside.txt'), 'utf8')).toBe('new');
  expect(await history.copies()).toHaveLength(1);
});

test('copies are private, stored once, and the oldest make room', async () => {
  await using history = await openHistory({ maxBytes: 25 });
  await history.write('a.txt', '0123456789');
  await history.write('same.txt', '0123456789');
  history.begin('m');
  await history.change('a.txt', (path) => writeFile(path, 'abcdefghij'));
  await history.change('same.txt', (path) => writeFile(path, 'x'));
  expect(await history.copies()).toHaveLength(1);
  const [copy = ''] = await history.copies();
  const { mode } = await stat(history.folder.resolve('sessions', 's.files', 'copies', copy));
  expect(mode & 0o777).toBe(0o600);
  await history.change('a.txt', (path) => writeFile(path, 'ABCDEFGHIJ'));
  await history.change('a.txt', (path) => writeFile(path, '!'));
  expect(await history.copies()).toHaveLength(2);
  const { files } = await history.restore('m');
  expect(files.map(({ refused }) => refused)).toEqual([
    'Its copy is no longer stored.',
    'Its copy is no longer stored.',
  ]);
  expect(await history.text('a.txt')).toBe('!');
});

test('a torn journal keeps its whole lines, and a change that never happened is none of others', async () => {
  await using history = await openHistory();
  await history.write('a.txt', 'old');
  history.begin('m');
  await history.change('a.txt', (path) => writeFile(path, 'new'));
  const journal = history.folder.resolve('sessions', 's.files', 'changes.jsonl');
  // A process that was killed in the middle of a restore, before it replaced the file.
  const [line = ''] = (await readFile(journal, 'utf8')).split('\n');
  const { state } = JSON.parse(line) as { state: unknown };
  const before = { type: 'before', id: 'r', at: '', message_id: 'm', path: history.pathOf('a.txt') };
  const current = JSON.parse((await readFile(journal, 'utf8')).split('\n')[1] ?? '').state;
  await writeFile(
    journal,
    `${await readFile(journal, 'utf8')}${JSON.stringify({ ...before, state: current })}\n${JSON.stringify({ type: 'after', id: 'r', state })}\n{"type":"bef`,
  );
  history.reopen();
  const { files } = await history.restore('m');
  expect(files).toMatchObject([
    { path: history.pathOf('a.txt'), action: 'restore', diff: expect.stringContaining('-old') },
  ]);
  history.begin('n');
  await history.change('a.txt', (path) => writeFile(path, 'newer'));
  history.reopen();
  expect(actionsOf(await history.restore('n'))).toEqual(['restore a.txt']);
  expect(await history.text('a.txt')).toBe('old');
});

test('an unknown message is refused, and a full disk stops no tool', async () => {
  await using history = await openHistory();
  history.begin('m');
  await expect(history.preview('x')).rejects.toMatchObject({ code: 'message_not_found' });
  await history.write('a.txt', 'old');
  await writeFile(history.folder.resolve('sessions'), 'not a folder');
  await history.change('a.txt', (path) => writeFile(path, 'new'));
  expect(history.notices).toMatchObject([{ code: 'file_not_kept' }]);
  expect(await history.text('a.txt')).toBe('new');
});
