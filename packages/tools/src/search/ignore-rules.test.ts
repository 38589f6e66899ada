import { execFileSync } from 'node:child_process';
import { mkdir } from 'node:fs/promises';
import { dirname } from 'node:path';
import { temporaryFolder, verifies } from '@qwen/testkit';
import { afterEach, expect, test, vi } from 'vitest';
import { walkFiles } from './walk.js';

afterEach(() => {
  vi.unstubAllEnvs();
});

async function walked(root: string): Promise<string[]> {
  const found: string[] = [];
  const files = walkFiles({ root, signal: new AbortController().signal, maxEntries: 1000, onCut: () => {} });
  for await (const { names } of files) found.push(names.join('/'));
  return found.toSorted();
}

/** What git itself sees as not ignored. */
function seenByGit(root: string): string[] {
  const env = { PATH: process.env.PATH ?? '', HOME: root, GIT_CONFIG_NOSYSTEM: '1' };
  const args = ['-C', root, '-c', 'core.excludesFile=/dev/null', 'ls-files', '--others', '--exclude-standard', '-z'];
  return execFileSync('git', args, { env, encoding: 'utf8' }).split('\0').filter(Boolean).toSorted();
}

const FILES = [
  'a.txt',
  'a.log',
  'keep.log',
  '#hash',
  '!bang',
  'trail ',
  'sub/a.log',
  'sub/b.txt',
  'sub/deep/c.txt',
  'build/x',
  'build/keep/y',
  'other/build/x',
  'docs/a.pdf',
  'docs/deep/a.pdf',
  'x/doc/y/z',
  'foo1',
  'foo2',
];

test.each([
  ['a name anywhere', { '.gitignore': 'a.log\n' }],
  ['a star', { '.gitignore': '*.log\n!keep.log\n' }],
  ['a folder', { '.gitignore': 'build/\n' }],
  ['a folder only at the top', { '.gitignore': '/build/\n' }],
  ['what is in an ignored folder cannot come back', { '.gitignore': 'build/\n!build/keep/y\n' }],
  ['all in a folder but one', { '.gitignore': 'build/*\n!build/keep/\n' }],
  ['a slash in the middle anchors', { '.gitignore': 'docs/*.pdf\n' }],
  ['two stars in the middle', { '.gitignore': 'docs/**/*.pdf\n' }],
  ['two stars in front', { '.gitignore': '**/deep\n' }],
  ['two stars at the end', { '.gitignore': 'x/**\n' }],
  ['escapes, comments and blanks', { '.gitignore': '# no\n\\#hash\n\\!bang\ntrail\\ \nb.txt   \n\n' }],
  ['sets', { '.gitignore': 'foo[0-1]\n' }],
  ['a file deeper down has the last word', { '.gitignore': '*.log\n', 'sub/.gitignore': '!a.log\nb.txt\n' }],
  ['everything but', { '.gitignore': '*\n!*/\n!*.txt\n' }],
  ['CRLF', { '.gitignore': 'a.log\r\nbuild/\r\n' }],
  ['a byte order mark, and a re-included name with a hash', { '.gitignore': '\ufeffa.log\n*h\n!#hash\n' }],
  ['classes of characters', { '.gitignore': 'foo[[:digit:]]\n' }],
  ['a file deeper down that re-includes a folder', { '.gitignore': 'x\n', 'other/build/.gitignore': '!x\n' }],
  ['a folder re-included deeper down keeps the other rules', { '.gitignore': 'doc/\n', 'x/.gitignore': '!doc/\n' }],
  [
    'a name in a folder with glob characters',
    { '[x]/.gitignore': 'a*\n/b\n', '[x]/ab': '', '[x]/b': '', '[x]/y/b': '' },
  ],
  ['anchored and deep patterns deeper down', { 'sub/.gitignore': '/a.log\n**/c.txt\n#\n\n' }],
  ['a pattern with a trailing slash and blanks', { 'sub/.gitignore': 'deep/  \n' }],
  ['.git/info/exclude', { '.git/info/exclude': '*.log\n/build/\n# no\n' }],
  ['.gitignore wins over .git/info/exclude', { '.git/info/exclude': '*.log\n', '.gitignore': '!keep.log\n' }],
  ['.git/info/exclude and a file deeper down', { '.git/info/exclude': '*.log\n', 'sub/.gitignore': '!a.log\n' }],
])('the walk and git agree about: %s', async (_, ignoreFiles) => {
  await using folder = await temporaryFolder();
  for (const file of FILES) await folder.write(file, '');
  execFileSync('git', ['init', '-q', folder.path]);
  for (const [name, content] of Object.entries(ignoreFiles)) await folder.write(name, content);
  expect(await walked(folder.path)).toEqual(seenByGit(folder.path));
});

test('.git/info/exclude of the repository applies in a worktree and below its root', async () => {
  await using folder = await temporaryFolder();
  const git = (...args: string[]) => execFileSync('git', ['-C', folder.resolve('main'), ...args], { stdio: 'ignore' });
  await mkdir(folder.resolve('main'));
  git('init', '-q');
  git('-c', 'user.name=t', '-c', 'user.email=t@example.com', 'commit', '-q', '--allow-empty', '-m', 'first');
  git('worktree', 'add', '-q', folder.resolve('tree'));
  await folder.write('main/.git/info/exclude', 'secret.txt\n');
  for (const name of ['main', 'tree']) {
    await folder.write(`${name}/sub/secret.txt`, '');
    await folder.write(`${name}/sub/a.txt`, '');
    expect(await walked(folder.resolve(name)), name).toEqual(seenByGit(folder.resolve(name)));
    expect(await walked(folder.resolve(`${name}/sub`)), name).toEqual(['a.txt']);
  }
});

test.each([
  ['the default path', 'config/git/ignore', ''],
  ['core.excludesFile', 'home/global', '[user]\n\tname = x\n[core]\n\texcludesFile = ~/global\n'],
  ['core.excludesFile in quotes', 'home/a b', '[core]\n  pager = less\n  excludesfile = "~/a b"\n[x]\n'],
])("the user's global excludes apply inside a repository: %s", async (_, path, config) => {
  await using folder = await temporaryFolder();
  vi.stubEnv('HOME', folder.resolve('home'));
  vi.stubEnv('XDG_CONFIG_HOME', folder.resolve('config'));
  await folder.write('home/.gitconfig', config);
  await folder.write(path, '*.log\n');
  await folder.write('repo/a.log', '');
  await folder.write('repo/a.txt', '');
  expect(await walked(folder.resolve('repo'))).toEqual(['a.log', 'a.txt']);
  execFileSync('git', ['init', '-q', folder.resolve('repo')]);
  expect(await walked(folder.resolve('repo'))).toEqual(['a.txt']);
  const env = { PATH: process.env['PATH'], HOME: process.env['HOME'], XDG_CONFIG_HOME: process.env['XDG_CONFIG_HOME'] };
  const listed = execFileSync('git', ['-C', folder.resolve('repo'), 'ls-files', '-o', '--exclude-standard'], { env });
  expect(listed.toString()).toBe('a.txt\n');
});

test('.qwenignore applies too and takes precedence in its folder', async () => {
  await using folder = await temporaryFolder();
  for (const file of ['a.txt', 'b.txt', 'c.txt']) await folder.write(file, '');
  await folder.write('.gitignore', 'a.txt\nb.txt\n');
  await folder.write('.qwenignore', '!a.txt\nc.txt\n');
  expect(await walked(folder.path)).toEqual(['.gitignore', '.qwenignore', 'a.txt']);
});

test('rules of parent folders apply inside a repository and not without one', async () => {
  await using folder = await temporaryFolder();
  await folder.write('.gitignore', '*.log\n');
  await folder.write('sub/a.log', '');
  await folder.write('sub/a.txt', '');
  expect(await walked(folder.resolve('sub'))).toEqual(['a.log', 'a.txt']);
  await mkdir(folder.resolve('.git'));
  expect(await walked(folder.resolve('sub'))).toEqual(['a.txt']);
});

test('a walk that starts in an ignored folder shows its files', async () => {
  await using folder = await temporaryFolder();
  await mkdir(folder.resolve('.git'));
  await folder.write('.gitignore', 'dist/\n');
  await folder.write('dist/sub/a.js', '');
  await folder.write('node_modules/p/index.js', '');
  expect(await walked(folder.resolve('dist/sub'))).toEqual(['a.js']);
  expect(await walked(folder.resolve('node_modules/p'))).toEqual(['index.js']);
  expect(await walked(folder.path)).toEqual(['.gitignore']);
});

test('a hostile ignore pattern takes no time', async () => {
  verifies('F145');
  await using folder = await temporaryFolder();
  await folder.write('.gitignore', `${'*a'.repeat(200)}b\na/${'**/a/'.repeat(12)}b\n`);
  const name = await folder.write('a'.repeat(250), '');
  await folder.write(`${'a/'.repeat(90)}c`, '');
  expect(await walked(dirname(name))).toHaveLength(3);
});

test('an ignore file that is a named pipe does not hang the walk', async () => {
  verifies('F146');
  await using folder = await temporaryFolder();
  await folder.write('a', '');
  execFileSync('mkfifo', [folder.resolve('.gitignore')]);
  expect(await walked(folder.path)).toEqual(['a']);
});
