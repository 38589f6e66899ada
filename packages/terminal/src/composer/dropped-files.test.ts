import { Buffer } from 'node:buffer';
import { execFileSync } from 'node:child_process';
import { temporaryFolder } from '@qwen/testkit';
import { expect, test } from 'vitest';
import { readDroppedFiles } from './dropped-files.js';
import { droppedPaths } from './dropped-paths.js';

const PNG = Buffer.from('89504e470d0a1a0a0000000d49484452', 'hex');
const posix = { platform: 'linux', homeDirectory: '/home/me' } as const;
const windows = { platform: 'win32', homeDirectory: 'C:\\Users\\me' } as const;

test.each([
  ['/tmp/a.png', ['/tmp/a.png']],
  ['/tmp/a\\ b\\(1\\).png ', ['/tmp/a b(1).png']],
  ["'/tmp/it is.png' '/tmp/b.png'", ['/tmp/it is.png', '/tmp/b.png']],
  ['"/tmp/a b.png"\n/tmp/c.png', ['/tmp/a b.png', '/tmp/c.png']],
  ["'/tmp/it'\\''s.png'", ["/tmp/it's.png"]],
  ['file:///tmp/a%20b.png', ['/tmp/a b.png']],
  ['~/a.png', ['/home/me/a.png']],
  ['/tmp/a.png is broken', undefined],
  ['src/a.ts', undefined],
  ["'/tmp/a.png", undefined],
  ['file://other-host/a.png', undefined],
  ['', undefined],
])('%j names %j', (text, paths) => {
  expect(droppedPaths(text, posix)).toEqual(paths);
});

test.each([
  ['C:\\Users\\me\\a.png', ['C:\\Users\\me\\a.png']],
  ['"C:\\My Files\\a.png" D:/b.png', ['C:\\My Files\\a.png', 'D:/b.png']],
  ['file:///C:/My%20Files/a.png', ['C:\\My Files\\a.png']],
  ['\\\\server\\share\\a.png', ['\\\\server\\share\\a.png']],
  ['/tmp/a.png', undefined],
])('on Windows %j names %j', (text, paths) => {
  expect(droppedPaths(text, windows)).toEqual(paths);
});

test('detects images by content and turns other files into references, relative to the working directory', async () => {
  await using folder = await temporaryFolder();
  const cwd = folder.resolve('work');
  const picture = await folder.write('work/shot.txt', PNG);
  const text = await folder.write('work/src/a b.png', 'no picture');
  const outside = await folder.write('elsewhere.md', 'x');
  const options = { ...posix, cwd };
  expect(await readDroppedFiles(`'${picture}' '${text}' ${outside} ${folder.path}`, options)).toEqual([
    {
      kind: 'image',
      image: { type: 'image', source: { type: 'base64', media_type: 'image/png', data: PNG.toString('base64') } },
    },
    { kind: 'reference', path: 'src/a\\ b.png' },
    { kind: 'reference', path: outside },
    { kind: 'reference', path: folder.path },
  ]);
});

test('keeps a path to a missing file as text', async () => {
  await using folder = await temporaryFolder();
  const there = await folder.write('a.md', 'x');
  expect(await readDroppedFiles(`${there} ${folder.resolve('b.md')}`, { ...posix, cwd: folder.path })).toBeUndefined();
});

test('rejects an oversized image and reports its size', async () => {
  await using folder = await temporaryFolder();
  const path = await folder.write('big.png', Buffer.concat([PNG, Buffer.alloc(6 * 1024 * 1024)]));
  expect(await readDroppedFiles(path, { ...posix, cwd: folder.path })).toEqual([
    { kind: 'refused', path: 'big.png', message: 'The image has 6.0 MB. The limit is 5 MB.' },
  ]);
});

test('does not block on a named pipe', async () => {
  await using folder = await temporaryFolder();
  execFileSync('mkfifo', [folder.resolve('pipe')]);
  expect(await readDroppedFiles(folder.resolve('pipe'), { ...posix, cwd: folder.path })).toEqual([
    { kind: 'reference', path: 'pipe' },
  ]);
});
