import { appendFile, readFile, rm, symlink, writeFile } from 'node:fs/promises';
import { verifies } from '@qwen/testkit';
import { expect, test } from 'vitest';
import { decided, type Repository, repository, SHOWING } from '../../test/git-repository.js';
import { readWithGit } from './git-guard.js';
import { riskyModule, riskySetting } from './git-settings.js';

/** Bytes, one for each character. */
const append = (at: Repository, file: string, text: string) =>
  appendFile(at.folder.resolve(file), Buffer.from(text, 'latin1'));

test('a setting of the repository that is not known to be harmless needs approval', async () => {
  verifies('S12');
  await using at = await repository();
  await at.folder.write('app/more', '[user]\nname = a\n');
  const config = await readFile(at.folder.resolve('app/.git/config'));
  for (const [lines, named] of [
    ['[filter ""]\nclean = x', 'filter..clean'],
    ['[diff "\xff"]\ncommand = x', 'diff.'],
    ['[includeIf "gitdir:/other"]\npath = ../more', 'includeif.'],
    ['[core]\nexcludesFile = ../secret', 'core.excludesfile'],
    ['[broken', 'cannot be read'],
  ] as const) {
    await writeFile(at.folder.resolve('app/.git/config'), config);
    await append(at, 'app/.git/config', `${lines}\n`);
    const decision = await decided(at, 'git status', ['Bash(git *)']);
    expect([lines, decision]).toMatchObject([lines, { behavior: 'ask', reason: expect.stringContaining(named) }]);
  }
  await writeFile(at.folder.resolve('app/.git/config'), config);
  at.git('config', 'filter.f.clean', 'x');
  expect(await readWithGit(at.cwd, ['status'], 20_000)).toBeUndefined();
  expect((await decided(at, 'git status', ['Bash(git status)'])).behavior).toBe('allow');
  expect((await decided(at, 'ls')).behavior).toBe('allow');
});

test.each([
  ['filter.f.process', 'x'],
  ['filter.f.smudge', 'x'],
  ['diff.external', 'x'],
  ['diff..textconv', 'x'],
  ['hook.a.command', 'x'],
  ['branch.\xff.remote', 'x'],
  ['branch..remote', 'x'],
  ['remote..url', 'x'],
  ['include.path', 'x'],
  ['remote.a.url', 'ext::x'],
  ['remote.a.uploadpack', 'x'],
  ['submodule.a.update', '!x'],
  ['submodule.a.ignore', 'none'],
  ['extensions.refstorage', 'files:///x'],
  ['core.attributesfile', 'x'],
  ['commit.template', 'x'],
  ['mailmap.file', 'x'],
  ['merge.x.driver', 'x'],
  ['trailer.x.command', 'x'],
  ['lfs.extension.x.clean', 'x'],
])('%s = %s may be harmful', (...setting) => {
  expect(riskySetting([['core.bare', 'false'], setting])).toBe(setting[0]);
});

test('what git and its companions write into a repository needs no approval', async () => {
  await using at = await repository();
  at.git('config', 'core.hooksPath', '.husky/_');
  at.git('config', 'blame.ignoreRevsFile', '.git-blame-ignore-revs');
  await append(
    at,
    'app/.git/config',
    `[remote "origin"]\nurl = git@host:a/b.git\nfetch = +refs/heads/*:refs/remotes/origin/*\ngh-resolved = base
[branch "\u00c3\u00bc/1.x"]\nremote = origin\nmerge = refs/heads/x\nvscode-merge-base = origin/main
[user]\nname = \u00c3\u00bc\nemail = a@b\n[pull]\nrebase = true\n[color "diff"]\nmeta = blue
[lfs]\nrepositoryformatversion = 0\n[lfs "https://host/a.git/info/lfs"]\naccess = basic
[submodule "lib/a b"]\nactive = true\nurl = https://host/c\n[gc]\nauto = 0
[http "https://host/"]\nextraheader = AUTHORIZATION: basic x\n`,
  );
  await append(at, 'app/.gitmodules', '[submodule "lib/a b"]\npath = b\nurl = ../c\nbranch = x\nignore = dirty\n');
  await symlink('../../tool', at.folder.resolve('app/.git/hooks/pre-commit'));
  await at.folder.write('app/tool', '');
  for (const command of [...SHOWING, 'git remote -v', 'git branch -a']) {
    expect([command, await decided(at, command)]).toMatchObject([command, { behavior: 'allow' }]);
  }
  expect(await readWithGit(at.cwd, ['status', '--short'], 20_000)).toContain('M a.txt');
});

test('modules that may search their folders need approval', async () => {
  verifies('S12');
  await using at = await repository();
  const file = at.folder.resolve('app/.gitmodules');
  const broken = '[submodule "a"]\nignore = none\n[broken';
  const asks = async (place: string) =>
    expect([place, (await decided(at, 'git status')).behavior]).toEqual([place, 'ask']);
  for (const text of ['[submodule "\xff"]\npath = a\n', '[submodule "a"]\npath = a\nignore = none\n', broken]) {
    await writeFile(file, text, 'latin1');
    await asks(text);
  }
  await rm(file);
  await symlink('a.txt', file);
  await asks('a link');
  await rm(file);
  const blob = at.git('hash-object', '-w', '--stdin', { input: broken }).trim();
  at.git('update-index', '--add', '--cacheinfo', `100644,${blob},.gitmodules`);
  await asks('the index');
  at.git('commit', '-qm', 'modules');
  at.git('rm', '-q', '--cached', '.gitmodules');
  await asks('the last commit');
});

test.each([
  ['submodule..path', 'x'],
  ['submodule.a.update', '!x'],
  ['submodule.\xc3\xbc.path', 'x'],
  ['include.path', 'x'],
])('%s = %s in .gitmodules may be harmful', (...setting) => {
  expect(riskyModule([['submodule.lib/a b.ignore', 'dirty'], setting])).toBe(setting[0]);
});
