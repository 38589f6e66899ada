import { execFileSync } from 'node:child_process';
import { symlink } from 'node:fs/promises';
import { temporaryFolder } from '@qwen/testkit';
import { expect, test } from 'vitest';
import { configuredPaths } from './git-files.js';

test.each([
  ['a comment', '[core]\n\thooksPath = hk # team hooks\n', ['hk']],
  ['a comment after quotes', '[core]\nhooksPath = "h;k" ; shared\n', ['h;k']],
  ['one line', '[core] hooksPath = hk\n', ['hk']],
  ['a continued value', '[core]\n hooksPath = h\\\nk\n', ['hk']],
  ['a comment that ends with a backslash', '[core]\n# off \\\nhooksPath = hk\n', ['hk']],
  ['CR LF', '[core]\r\nHOOKSPATH = hk\r\n', ['hk']],
  ['an include', '[include] path = ../inc/one\n', ['inc/one', 'two-hooks', 'inc/two']],
  ['a conditional include', '[includeIf "gitdir:[x]/"]\npath = "../inc/\\"q\\"" # q\n', ['inc/"q"']],
  ['no path', '[core]\n# hooksPath = hk\n[user]\nname = a = b\n', []],
])('settings of git in the workspace are found: %s', async (_what, config, expected) => {
  await using folder = await temporaryFolder();
  execFileSync('git', ['init', '-q'], { cwd: folder.path });
  await folder.write('.git/config', config);
  await folder.write('inc/one', '[include]\npath = two\n[core] hooksPath = two-hooks\n');
  await folder.write('inc/two', '');
  const found = configuredPaths(folder.path);
  expect(found.toSorted()).toEqual(expected.map((path) => folder.resolve(path)).toSorted());
});

test('settings of one worktree and of a linked .git are found', async () => {
  await using folder = await temporaryFolder();
  await folder.write('deep/data/config', '[include]\npath = ../by-link\n');
  await folder.write('deep/data/config.worktree', '[core]\nhooksPath = hk\n');
  await symlink('deep/data', folder.resolve('.git'));
  expect(configuredPaths(folder.path)).toEqual(
    expect.arrayContaining(['deep/by-link', 'hk'].map((path) => folder.resolve(path))),
  );
});
