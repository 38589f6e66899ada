import { mkdir, symlink, writeFile } from 'node:fs/promises';
import { temporaryFolder, verifies } from '@qwen/testkit';
import { expect, test } from 'vitest';
import { createPathResolver, realPathFor } from './path-resolver.js';

const resolver = createPathResolver();

test('a sibling that shares the prefix is outside, however it is reached', async () => {
  verifies('S31');
  await using folder = await temporaryFolder();
  const cwd = folder.resolve('app');
  await mkdir(cwd);
  await folder.write('app-evil/x', '');
  for (const path of [folder.resolve('app-evil/x'), '../app-evil/x', 'a/../../app-evil/x']) {
    const resolved = await resolver.resolve(path, cwd);
    expect(resolved).toEqual({
      path: folder.resolve('app-evil/x'),
      realPath: folder.resolve('app-evil/x'),
      insideRoots: false,
    });
  }
});

test.each(['~', '~root', '$HOME', '${HOME}', '%userprofile%', 'a b', '*'])('%s is an ordinary name', async (name) => {
  verifies('S32');
  await using folder = await temporaryFolder();
  expect(await resolver.resolve(name, folder.path)).toMatchObject({
    realPath: folder.resolve(name),
    insideRoots: true,
  });
});

test.each([
  ['../../etc/passwd', false],
  ['a/./../..', false],
  ['//etc', false],
  ['sub/.', true],
  ['.', true],
])('%s: inside is %s', async (path, insideRoots) => {
  verifies('S32');
  await using folder = await temporaryFolder();
  const cwd = folder.resolve('w');
  await mkdir(folder.resolve('w/sub'), { recursive: true });
  expect(await resolver.resolve(path, cwd)).toMatchObject({ insideRoots });
});

test('a link is judged by its target, and its name is kept', async () => {
  verifies('S33');
  await using folder = await temporaryFolder();
  await folder.write('outside/secret', 'x');
  await mkdir(folder.resolve('w'));
  await symlink(folder.resolve('outside'), folder.resolve('w/d'));
  expect(await resolver.resolve('d/secret', folder.resolve('w'))).toEqual({
    path: folder.resolve('w/d/secret'),
    realPath: folder.resolve('outside/secret'),
    insideRoots: false,
  });
});

test("a new file below a link belongs to the link's target, at any depth", async () => {
  verifies('S34');
  await using folder = await temporaryFolder();
  await mkdir(folder.resolve('outside'));
  await mkdir(folder.resolve('w'));
  await symlink('../outside', folder.resolve('w/d'));
  expect(await resolver.resolve('d/new/x', folder.resolve('w'))).toMatchObject({
    realPath: folder.resolve('outside/new/x'),
    insideRoots: false,
  });
});

test('a dangling link counts as its target, through several links', async () => {
  verifies('S34');
  await using folder = await temporaryFolder();
  await mkdir(folder.resolve('w'));
  await symlink('second', folder.resolve('w/first'));
  await symlink('../outside/later', folder.resolve('w/second'));
  expect(await resolver.resolve('first', folder.resolve('w'))).toMatchObject({
    realPath: folder.resolve('outside/later'),
    insideRoots: false,
  });
});

test('a workspace reached through a link is compared by its real path', async () => {
  await using folder = await temporaryFolder();
  await folder.write('real/x', '');
  await symlink('real', folder.resolve('alias'));
  expect(await resolver.resolve('x', folder.resolve('alias'))).toMatchObject({ insideRoots: true });
  const several = createPathResolver({ roots: ['.', folder.resolve('alias')] });
  await mkdir(folder.resolve('other'));
  expect(await several.resolve('../real/x', folder.resolve('other'))).toMatchObject({ insideRoots: true });
});

test('a path that cannot exist is refused', async () => {
  await using folder = await temporaryFolder();
  await symlink('b', folder.resolve('a'));
  await symlink('a', folder.resolve('b'));
  for (const path of ['x\0y', 'a', 'n'.repeat(5000)]) {
    await expect(resolver.resolve(path, folder.path)).rejects.toMatchObject({ code: 'invalid_tool_input' });
  }
});

test('a path through a file is kept, so that opening it fails', async () => {
  await using folder = await temporaryFolder();
  await writeFile(folder.resolve('file'), '');
  expect(await resolver.resolve('file/x', folder.path)).toMatchObject({ realPath: folder.resolve('file/x') });
});

test('the resolved path is used even if it has changed since', async () => {
  verifies('S35');
  await using folder = await temporaryFolder();
  const context = {
    callId: '1',
    cwd: folder.path,
    signal: new AbortController().signal,
    emit: () => {},
    realPaths: new Map([[folder.resolve('a'), '/decided/on']]),
  };
  expect(await realPathFor(folder.resolve('a'), context)).toBe('/decided/on');
});
