import { chmod, mkdir, realpath, rename, symlink } from 'node:fs/promises';
import { homedir, userInfo } from 'node:os';
import { basename, dirname, join } from 'node:path';
import { temporaryFolder, verifies } from '@qwen/testkit';
import { expect, test } from 'vitest';
import { toAbsolutePath, WorkspaceFolders } from './workspace-folders.js';

test.each([
  ['/path/to', '/path/to'],
  ['./relative/path', '/base/relative/path'],
  ['../parent', '/parent'],
  ['plain', '/base/plain'],
  ['~', homedir()],
  ['~/projects', join(homedir(), 'projects')],
  ['%userprofile%', homedir()],
  ['%USERPROFILE%/projects', join(homedir(), 'projects')],
  ['%userprofile%\\projects\\mine', join(homedir(), 'projects/mine')],
  // Names that only begin like that are names.
  ['~other', '/base/~other'],
  ['%userprofile%x', '/base/%userprofile%x'],
])('%s', (path, absolute) => {
  verifies('Q-42', 'Q-43', 'Q-44', 'Q-45');
  expect(toAbsolutePath(path, '/base')).toBe(absolute);
});

test('an invalid folder is reported with the documented text', async () => {
  verifies('Q-40', 'GAP-66');
  await using folder = await temporaryFolder();
  await folder.write('file', 'text');
  const base = await realpath(folder.path);
  const folders = new WorkspaceFolders();
  expect(await folders.sort(['.', 'file', 'nowhere', 'a\0b'], base)).toEqual({
    folders: [base],
    added: ['.'],
    errors: [
      "Error adding 'file': Directory not found",
      "Error adding 'nowhere': Directory not found",
      "Error adding 'a\0b': Directory not found",
    ],
  });
  expect(await folders.find('.', base)).toBe(base);
  for (const path of [
    'file',
    'file/below',
    'nowhere',
    'a\0b',
    'x'.repeat(5000),
    `${'x/'.repeat(2000)}y`,
    'x'.repeat(300),
  ]) {
    await expect(folders.find(path, base)).rejects.toMatchObject({ code: 'cwd_missing' });
  }
});

const home = homedir();
test.each([
  '/',
  '//',
  '/.',
  '/tmp/..',
  '/tmp/../',
  '/proc/self/root',
  '/proc/self/root/etc',
  '/proc/self/cwd/../../../../../../../..',
  '/etc',
  '/etc/',
  '/etc/ssl/../',
  '/usr',
  '/usr/bin',
  '/usr/share',
  '/bin',
  '/dev',
  '/dev/shm',
  '/dev/fd',
  '/proc',
  '/proc/1',
  '/sys',
  '/run',
  '/var',
  '/var/run',
  '/var/log',
  '/var/lib',
  '/var/spool',
  '/root',
  '/home',
  '/opt',
  '/boot',
  '~',
  '~/',
  '~/.',
  '%userprofile%',
  home,
  `${home}/`,
  `${home}/../${basename(home)}`,
  dirname(home),
  userInfo().homedir,
  '~/.ssh',
  '~/.ssh/new',
  '~/.SSH',
  '~/.qwen',
  '~/.qwen/server',
  '~/.aws',
  '~/.config',
  '~/.config/gh',
  '~/.gnupg',
  '~/.git',
  // All users can create files there.
  '/tmp',
  '/var/tmp',
])('%s cannot be a workspace', async (path) => {
  verifies('S42');
  const folders = new WorkspaceFolders();
  await expect(folders.find(path, '/work')).rejects.toMatchObject({ code: 'path_refused' });
  await expect(folders.check([toAbsolutePath(path, '/work')])).rejects.toMatchObject({ code: 'path_refused' });
  expect(await folders.sort([path], '/work')).toMatchObject({
    folders: [],
    errors: [expect.stringContaining('cannot be added to the workspace')],
  });
});

test('links count as their targets, in requests and during use', async () => {
  verifies('S42');
  await using folder = await temporaryFolder();
  const base = await realpath(folder.path);
  const folders = new WorkspaceFolders();
  for (const [name, target] of [
    ['root', '/'],
    ['home', home],
    ['system', '/etc'],
    ['twice', './system'],
  ] as const) {
    await symlink(target, folder.resolve(name));
    await expect(folders.find(name, base)).rejects.toMatchObject({ code: 'path_refused' });
  }
  await expect(folders.find('root/etc', base)).rejects.toMatchObject({ code: 'path_refused' });
  await mkdir(folder.resolve('project'));
  await symlink('project', folder.resolve('link'));
  expect(await folders.find('link', base)).toBe(`${base}/project`);
  await folders.check([`${base}/project`]);
  // The folder is replaced after the session was created.
  await rename(folder.resolve('project'), folder.resolve('moved'));
  await symlink('/', folder.resolve('project'));
  await expect(folders.check([`${base}/moved`, `${base}/project`])).rejects.toMatchObject({ code: 'path_refused' });
});

test.each(['.git', '.git/hooks', '.qwen', '.GIT/hooks', 'a/.ssh', '.aws/x'])(
  'no project makes its %s a workspace',
  async (path) => {
    await using folder = await temporaryFolder();
    await mkdir(folder.resolve(path), { recursive: true });
    const found = new WorkspaceFolders().find(path, folder.path);
    await expect(found).rejects.toMatchObject({ code: 'path_refused' });
  },
);

test('a folder whose name only resembles a protected one is a workspace', async () => {
  await using folder = await temporaryFolder();
  const base = await realpath(folder.path);
  for (const path of ['head', 'ssh', 'x.git', '.sshx', 'config', 'crontab']) {
    await mkdir(folder.resolve(path));
    expect(await new WorkspaceFolders().find(path, base)).toBe(`${base}/${path}`);
  }
});

test.runIf(process.getuid?.() !== 0)('a folder that cannot be read is no workspace', async () => {
  await using folder = await temporaryFolder();
  await mkdir(folder.resolve('closed'));
  await chmod(folder.resolve('closed'), 0);
  const found = new WorkspaceFolders().find('closed', folder.path);
  await expect(found).rejects.toMatchObject({ code: 'cwd_missing' });
});

test('limits apply to real paths and do not reveal what exists beyond them', async () => {
  verifies('S42');
  await using folder = await temporaryFolder();
  const base = await realpath(folder.path);
  for (const path of ['allowed/project', 'allowed/.hidden', 'allowed-not', 'other', 'data/s/below']) {
    await mkdir(folder.resolve(path), { recursive: true });
  }
  await symlink('../other', folder.resolve('allowed/out'));
  await symlink('allowed/project', folder.resolve('in'));
  const folders = new WorkspaceFolders({
    limits: [`${base}/allowed`, `${base}/data`],
    secretFolders: [`${base}/data/s`],
  });
  for (const [path, found] of [
    ['allowed', 'allowed'],
    ['allowed/', 'allowed'],
    ['allowed/project', 'allowed/project'],
    ['other/../in', 'allowed/project'],
    ['data', 'data'],
  ] as const) {
    expect(await folders.find(path, base)).toBe(`${base}/${found}`);
  }
  for (const path of [
    '.',
    'allowed-not',
    'allowed/..',
    'allowed/../other',
    'allowed/out',
    'allowed/out/new',
    'other',
    'missing',
    'data/s',
    'data/s/below',
    '/',
    '~/project',
  ]) {
    await expect(folders.find(path, base)).rejects.toMatchObject({ code: 'path_refused' });
    await expect(folders.list(path, base)).rejects.toMatchObject({ code: 'cwd_missing' });
  }
  expect(await folders.list('allowed', base)).toEqual({
    path: `${base}/allowed`,
    canUse: true,
    parent: undefined,
    folders: ['project'],
  });
  await expect(folders.list('allowed/.hidden', base)).rejects.toMatchObject({ code: 'cwd_missing' });
  const messages = await Promise.all(
    ['other', 'missing'].map((path) =>
      folders.find(path, base).catch((error: Error) => error.message.replace(path, '')),
    ),
  );
  expect(messages[0]).toBe(messages[1]);
  await expect(folders.find('allowed/missing', base)).rejects.toMatchObject({ code: 'cwd_missing' });
});
