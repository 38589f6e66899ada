import { mkdir, realpath, symlink } from 'node:fs/promises';
import { temporaryFolder, verifies } from '@qwen/testkit';
import { expect, test } from 'vitest';
import { addRoot, chooseAdditionalRoots } from './additional-roots.js';

const HOME = '/home/me';
const fromFlags = (cwd: string, ...paths: readonly string[]) =>
  chooseAdditionalRoots({ cwd, homeDirectory: HOME, limits: [], fromSettings: [], fromFlags: paths });

test.each([
  ['/', 'the root of a file system'],
  ['//', 'the root of a file system'],
  ['../..', 'the root of a file system'],
  [HOME, 'the home folder'],
  ['/home/me/', 'the home folder'],
  ['/home', 'a parent of the home folder'],
  ['/etc', 'a system folder'],
  ['/etc/ssh', 'a system folder'],
  ['/usr/bin', 'a system folder'],
  ['/proc/self', 'a system folder'],
  ['/var', 'a system folder'],
])('%s is not a workspace: %s', (path, what) => {
  verifies('S42');
  expect(() => fromFlags('/work/space', path)).toThrow(
    expect.objectContaining({ code: 'usage', message: expect.stringContaining(`--include-directories: "${path}" is`) }),
  );
  expect(() => fromFlags('/work/space', path)).toThrow(what);
});

test('invalid settings are refused with their own name and code', () => {
  verifies('S42');
  const choose = () =>
    chooseAdditionalRoots({ cwd: '/work/space', homeDirectory: HOME, limits: [], fromSettings: ['/'], fromFlags: [] });
  expect(choose).toThrow(
    expect.objectContaining({
      code: 'invalid_settings',
      message: expect.stringContaining('permissions.additionalDirectories: "/"'),
    }),
  );
});

test('a link counts as its target, also above a missing folder', async () => {
  verifies('S42');
  await using folder = await temporaryFolder();
  const real = await realpath(folder.resolve('.'));
  await mkdir(folder.resolve('other'));
  await symlink('/', folder.resolve('root'));
  await symlink(folder.resolve('other'), folder.resolve('link'));
  await symlink('/etc', folder.resolve('system'));
  expect(fromFlags(real, 'link', 'link/new', '/srv-of-nobody/project')).toEqual([
    `${real}/other`,
    `${real}/other/new`,
    '/srv-of-nobody/project',
  ]);
  for (const path of ['root', 'system', 'system/new-of-nobody']) {
    expect(() => fromFlags(real, path)).toThrow(expect.objectContaining({ code: 'usage' }));
  }
});

test('the opened folder may be any', () => {
  verifies('S42');
  expect(fromFlags('/', '/')).toEqual(['/']);
  expect(fromFlags('/home/me/project', '/home/me/other', '/usr/src/app')).toEqual(['/home/me/other', '/usr/src/app']);
});

test('a folder added to a running session must exist, must not be a system folder, and is added once', async () => {
  verifies('S42');
  await using folder = await temporaryFolder();
  const cwd = await realpath(folder.resolve('.'));
  for (const name of ['other', 'home', 'home/mine']) await mkdir(folder.resolve(name));
  await folder.write('file', '');
  await symlink('other', folder.resolve('link'));
  const roots = [cwd];
  const add = (path: string) => addRoot(path, { cwd, homeDirectory: `${cwd}/home`, limits: [], roots });
  expect([add('other'), add('~/mine')]).toEqual([`${cwd}/other`, `${cwd}/home/mine`]);
  for (const path of ['other', 'link', '.', 'file', 'none', '~', '/etc']) {
    expect(() => add(path)).toThrow(expect.objectContaining({ code: 'invalid_payload' }));
  }
  expect(roots).toEqual([cwd, `${cwd}/other`, `${cwd}/home/mine`]);
});
