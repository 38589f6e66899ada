import { execFileSync } from 'node:child_process';
import { symlink, writeFile } from 'node:fs/promises';
import { temporaryFolder } from '@qwen/testkit';
import { expect, test } from 'vitest';
import { configuredFiles } from './git-files.js';

test.each([
  ['a comment', '[core]\n\thooksPath = hk # team hooks\n', ['hk']],
  ['a comment after quotes', '[core]\nhooksPath = "h;k" ; shared\n', ['h;k']],
  ['one line', '[core] hooksPath = hk\n', ['hk']],
  ['a continued value', '[core]\n hooksPath = h\\\nk\n', ['hk']],
  ['a comment that ends with a backslash', '[core]\n# off \\\nhooksPath = hk\n', ['hk']],
  ['CR LF', '[core]\r\nHOOKSPATH = hk\r\n', ['hk']],
  ['an include', '[include] path = ../inc/one\n', ['inc/one', 'two-hooks', 'inc/two']],
  ['a conditional include', '[includeIf "gitdir:[x]/"]\npath = "../inc/\\"q\\"" # q\n', ['inc/"q"']],
  ['headers on one line', '[a "]"] [core]\r hooksPath = hk\n', ['hk']],
  ['a path that may be missing', '[core]\nhooksPath = :(optional)hk\n', ['hk']],
  ['a path after a link', '[include]\npath = ../inc/away/../three\n', ['far/three']],
  ['settings of the user', '[include]\npath = ~/team\n', ['home/team', 'team-hooks']],
  ['no path', '[core]\n# hooksPath = hk\n[user]\nname = a = b\n', []],
])('settings of git in the workspace are found: %s', async (_what, config, expected) => {
  await using folder = await temporaryFolder();
  execFileSync('git', ['init', '-q'], { cwd: folder.path });
  await folder.write('.git/config', config);
  await folder.write('inc/one', '[include]\npath = two\n[core] hooksPath = two-hooks\n');
  await folder.write('inc/two', '[include]\npath = one\n');
  await folder.write('home/team', '[core] hooksPath = team-hooks\n');
  await folder.write('far/folder/x', '');
  await symlink('../far/folder', folder.resolve('inc/away'));
  const { files } = configuredFiles({ root: folder.path, homeDirectory: folder.resolve('home') });
  expect(files.toSorted()).toEqual(expected.map((path) => folder.resolve(path)).toSorted());
});

test('settings of one worktree and of a linked .git are found', async () => {
  await using folder = await temporaryFolder();
  await folder.write('deep/data/config', '[include]\npath = ../by-link\n');
  await folder.write('deep/data/config.worktree', '[core]\nhooksPath = hk\n');
  await symlink('deep/data', folder.resolve('.git'));
  expect(configuredFiles({ root: folder.path, homeDirectory: '/' })).toEqual({
    files: ['deep/by-link', 'hk'].map((path) => folder.resolve(path)),
    links: [folder.resolve('.git')],
  });
});

test('a folder of git that a file names is protected', async () => {
  await using folder = await temporaryFolder();
  await folder.write('.git', 'gitdir: data/git\n');
  await folder.write('data/git/config', '[core]\nhooksPath = hk\n');
  const { files } = configuredFiles({ root: folder.path, homeDirectory: '/' });
  expect(files).toEqual(expect.arrayContaining(['hk', 'data/git/hooks'].map((path) => folder.resolve(path))));
});

test.each([
  ['too many files', Array.from({ length: 1000 }, (_, index) => `[include]\npath = ${index}\n`).join('')],
  ['a large file', `#${'x'.repeat(1024 * 1024)}`],
  ['a name of other bytes', Buffer.from('[core]\nhooksPath = h\xff\n', 'latin1')],
  ['hooks in the workspace itself', '[core]\nhooksPath = .\n'],
  ['a pipe', '[include]\npath = ../pipe\n'],
])('settings of git that cannot be followed are refused: %s', async (_, config) => {
  await using folder = await temporaryFolder();
  execFileSync('mkfifo', [folder.resolve('pipe')]);
  await folder.write('.git/config', '');
  await writeFile(folder.resolve('.git/config'), config);
  expect(() => configuredFiles({ root: folder.path, homeDirectory: '/' })).toThrow(
    expect.objectContaining({ code: 'sandbox_unavailable' }),
  );
});
