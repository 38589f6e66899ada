import { execFileSync } from 'node:child_process';
import { appendFile, chmod, mkdir, readdir, readFile, rename, rm, symlink, utimes } from 'node:fs/promises';
import { dirname } from 'node:path';
import { type TemporaryFolder, verifies } from '@qwen/testkit';
import { expect, test, vi } from 'vitest';
import { decided, type Repository, repository, SHOWING } from '../../test/git-repository.js';
import { commandEnvironment } from './command-environment.js';
import { gitHazards, readingEnvironment } from './git-guard.js';
import { runCommand } from './run-command.js';
import { shellTool } from './shell-tool.js';

/** As the session would run it, except for the decision. */
async function run({ folder, cwd }: Pick<Repository, 'folder' | 'cwd'>, command: string) {
  const environment = { PATH: process.env['PATH'], HOME: folder.resolve('home'), GIT_CONFIG_NOSYSTEM: '1' };
  const tool = shellTool({ environment, keepEnvironment: [] });
  const { content } = await tool.execute(
    { command },
    { callId: 'c', cwd, signal: new AbortController().signal, emit: () => {}, isReading: true },
  );
  return typeof content === 'string' ? content : '';
}

/** The arguments of each run of the program, one line each. */
async function runsIn(folder: TemporaryFolder): Promise<string> {
  return readFile(folder.resolve('ran'), 'utf8').catch(() => '');
}

test('no program that a repository names runs while git shows something', async () => {
  verifies('S12', 'S41');
  await using at = await repository();
  const settings = Object.entries({
    core: ['fsmonitor', 'hooksPath', 'pager', 'editor', 'sshCommand', 'alternateRefsCommand'],
    gpg: ['program'],
    'gpg "openpgp"': ['program'],
  }).flatMap(([section, keys]) => [`[${section}]`, ...keys.map((key) => `${key} = ${at.program} ${key}`)]);
  await appendFile(at.folder.resolve('app/.git/config'), [...settings, '[log]', 'showSignature = true', ''].join('\n'));
  for (const command of SHOWING) {
    expect([command, (await decided(at, command)).behavior]).toEqual([command, 'allow']);
    const output = await run(at, command);
    expect(output).not.toMatch(/exit code|fatal:/);
    if (command === 'git diff') expect(output).toContain('-one\n+three');
    expect([command, await runsIn(at.folder)]).toEqual([command, '']);
  }
});

test('without the guard the program would run', async () => {
  await using at = await repository();
  at.git('config', 'core.fsmonitor', at.program);
  at.git('status');
  expect(await runsIn(at.folder)).not.toBe('');
});

test('hooks of a repository do not run', async () => {
  verifies('S12');
  await using at = await repository();
  for (const hook of ['post-index-change', 'reference-transaction', 'post-checkout']) {
    await at.folder.write(`app/.git/hooks/${hook}`, `#!/bin/sh\n${at.program}\n`);
    await chmod(at.folder.resolve(`app/.git/hooks/${hook}`), 0o755);
  }
  for (const command of SHOWING) {
    await utimes(at.folder.resolve('app/a.txt'), 0, 0);
    await run(at, command);
  }
  expect(await runsIn(at.folder)).toBe('');
});

test('a filter of the user is not a program of the repository', async () => {
  await using at = await repository();
  await at.folder.write('home/.gitconfig', '[filter "f"]\nclean = cat\n');
  expect((await decided(at, 'git status')).behavior).toBe('allow');
});

test('commands cannot write files that form a repository', async () => {
  verifies('S12', 'S21');
  await using at = await repository();
  await mkdir(at.folder.resolve('app/docs'));
  at.git('init', '-q', '--bare', 'docs/x');
  at.git('-C', 'docs/x', 'config', 'core.fsmonitor', at.program);
  at.git('-C', 'docs/x', 'config', 'core.bare', 'false');
  at.git('-C', 'docs/x', 'config', 'core.worktree', '.');
  const rules = ['Bash(git *)', 'Bash(cd *)'];
  for (const command of [
    'cd docs/x && git status',
    'cd docs/x && git diff',
    'cd docs/x && git add .',
    'cd docs/x/refs; git status',
  ]) {
    expect([command, (await decided(at, command, rules)).behavior]).toEqual([command, 'ask']);
    await run(at, command);
  }
  const inside = { folder: at.folder, cwd: at.folder.resolve('app/docs/x') };
  expect((await decided(inside, 'git status')).behavior).toBe('ask');
  await run(inside, 'git status');
  expect(await runsIn(at.folder)).toBe('');
  expect((await decided(at, 'cd docs && git status', rules)).behavior).toBe('allow');
});

test('settings of a submodule run nothing', async () => {
  verifies('S12');
  await using at = await repository();
  at.git('-c', 'protocol.file.allow=always', 'submodule', '--quiet', 'add', at.cwd, 'sub');
  at.git('-C', 'sub', 'config', 'core.fsmonitor', at.program);
  at.git('-C', 'sub', 'config', 'filter.f.clean', at.program);
  await at.folder.write('app/.git/modules/sub/info/attributes', '* filter=f\n');
  await at.folder.write('app/sub/a.txt', 'changed\n');
  at.git('config', 'diff.submodule', 'diff');
  at.git('config', 'status.submoduleSummary', 'true');
  at.git('config', 'submodule.recurse', 'true');
  for (const command of ['git status', 'git diff', 'git log -p', 'git ls-files', 'git grep x']) {
    expect([command, (await decided(at, command)).behavior]).toEqual([command, 'allow']);
    await run(at, command);
    expect([command, await runsIn(at.folder)]).toEqual([command, '']);
  }
  for (const scope of ['.gitmodules', '.git/config']) {
    at.git('config', '--file', scope, 'submodule.sub.ignore', 'none');
    expect([scope, (await decided(at, 'git status')).behavior]).toEqual([scope, 'ask']);
    at.git('config', '--file', scope, '--unset', 'submodule.sub.ignore');
  }
});

test('a worktree and a submodule belong to their folder, other links do not', async () => {
  await using at = await repository();
  at.git('worktree', 'add', '-q', '../tree');
  at.git('-c', 'protocol.file.allow=always', 'submodule', '--quiet', 'add', at.cwd, 'sub');
  const place = (name: string) => ({ cwd: at.folder.resolve(name) });
  expect((await decided(place('tree'), 'git status')).behavior).toBe('allow');
  expect((await decided(place('app/sub'), 'git status')).behavior).toBe('allow');
  await at.folder.write('stolen/.git', `gitdir: ${at.cwd}/.git\n`);
  await mkdir(at.folder.resolve('linked'));
  await symlink(`${at.cwd}/.git`, at.folder.resolve('linked/.git'));
  for (const name of ['stolen', 'linked']) {
    expect([name, (await decided(place(name), 'git log')).behavior]).toEqual([name, 'ask']);
  }
  at.git('config', 'core.worktree', at.folder.path);
  expect((await decided(at, 'git diff')).behavior).toBe('ask');
});

test.each<[string, (at: Repository) => Promise<unknown>]>([
  [
    'a worktree above the folder',
    async (at) => {
      at.git('config', 'core.worktree', '../..');
      await at.folder.write('app/.git/gitdir', '../../.git\n');
    },
  ],
  ['common data of another repository', (at) => at.folder.write('app/.git/commondir', '../../other/.git\n')],
  [
    'a planted linked worktree',
    async (at) => {
      await at.folder.write('app/fake/gitdir', '../../.git\n');
      await at.folder.write('app/fake/commondir', '../../other/.git\n');
      await at.folder.write('app/fake/HEAD', 'ref: refs/heads/main\n');
      await rename(at.folder.resolve('app/.git'), at.folder.resolve('app/old'));
      await at.folder.write('app/.git', 'gitdir: fake\n');
    },
  ],
  [
    'objects of another repository',
    async (at) => {
      await rm(at.folder.resolve('app/.git/objects'), { recursive: true });
      await symlink('../../other/.git/objects', at.folder.resolve('app/.git/objects'));
    },
  ],
  ['alternates', (at) => at.folder.write('app/.git/objects/info/alternates', '../../../other/.git/objects\n')],
  ['a link among the refs', (at) => symlink('../../../../secret', at.folder.resolve('app/.git/refs/heads/x'))],
  [
    'a link in a folder whose name is not UTF-8',
    async (at) => {
      const folder = Buffer.from(at.folder.resolve('app/.git/refs/heads/\u00ff'), 'latin1');
      await mkdir(folder);
      await symlink('../../../../../secret', Buffer.concat([folder, Buffer.from('/x')]));
    },
  ],
  ['a link to packed refs', (at) => symlink('../../secret', at.folder.resolve('app/.git/packed-refs'))],
  [
    'a link in the state of a rebase',
    async (at) => {
      await mkdir(at.folder.resolve('app/.git/rebase-merge'));
      await symlink('../../../secret', at.folder.resolve('app/.git/rebase-merge/git-rebase-todo'));
    },
  ],
  [
    'a link in a folder that git does not read',
    async (at) => {
      await mkdir(at.folder.resolve('app/.git/modules/rm'), { recursive: true });
      await symlink('../../../../secret', at.folder.resolve('app/.git/modules/rm/head-name'));
    },
  ],
  ['a link to a folder inside', (at) => symlink('hooks', at.folder.resolve('app/.git/rebase-merge'))],
  ['a hook that is a link outside', (at) => symlink('../../../secret', at.folder.resolve('app/.git/hooks/x'))],
  ['revisions to ignore', async (at) => at.git('config', 'blame.ignoreRevsFile', '../secret')],
  [
    'revisions to ignore through a link',
    async (at) => {
      await symlink('../secret', at.folder.resolve('app/.ignored'));
      at.git('config', 'blame.ignoreRevsFile', '.ignored');
    },
  ],
])('a repository with %s does not show files outside', async (_name, plant) => {
  verifies('S12');
  await using at = await repository();
  await at.folder.write('secret', 'CANARY\n');
  await at.create('other');
  await plant(at);
  for (const command of ['git blame a.txt', 'git log --all']) {
    expect([command, (await decided(at, command)).behavior]).toEqual([command, 'ask']);
  }
});

test('git grep does not follow a link that replaced a folder', async () => {
  verifies('S12');
  await using at = await repository();
  await at.folder.write('app/lib/d/x', 'one\n');
  at.git('add', '.');
  for (const command of ['git grep .', 'git -C lib grep .']) {
    expect([command, (await decided(at, command)).behavior]).toEqual([command, 'allow']);
  }
  await rm(at.folder.resolve('app/lib/d'), { recursive: true });
  await at.folder.write('secret/x', 'CANARY\n');
  await symlink('../../secret', at.folder.resolve('app/lib/d'));
  for (const command of [
    'git grep .',
    'git -C lib grep .',
    'timeout 5 git grep .',
    'git status; git --no-pager grep .',
  ]) {
    expect([command, (await decided(at, command)).behavior]).toEqual([command, 'ask']);
  }
  expect((await decided(at, 'git status')).behavior).toBe('allow');
  await rm(at.folder.resolve('app/lib/d'));
  const blob = at.git('rev-parse', 'HEAD:a.txt').trim();
  const entry = Buffer.from(`100644 ${blob}\t\u00ff/x\n`, 'latin1');
  at.git('update-index', '--index-info', { input: entry });
  await symlink('../secret', Buffer.from(at.folder.resolve('app/\u00ff'), 'latin1'));
  expect((await decided(at, 'git grep .')).behavior).toBe('ask');
});

test('a partial clone fetches nothing', async () => {
  await using at = await repository();
  const [blob = ''] = at.git('rev-parse', 'HEAD:a.txt').split('\n');
  at.git('config', 'extensions.partialClone', 'origin');
  at.git('config', 'core.repositoryFormatVersion', '1');
  at.git('config', 'remote.origin.promisor', 'true');
  at.git('config', 'remote.origin.url', at.folder.resolve('app'));
  at.git('config', 'remote.origin.uploadpack', at.program);
  at.git('config', 'protocol.allow', 'always');
  execFileSync('rm', ['-f', at.folder.resolve(`app/.git/objects/${blob.slice(0, 2)}/${blob.slice(2)}`)]);
  for (const command of ['git show HEAD:a.txt', 'git log -p', 'git diff']) await run(at, command);
  expect(await runsIn(at.folder)).toBe('');
});

test('programs come from outside the workspace', async () => {
  await using at = await repository();
  for (const name of ['git', 'ls', 'bash']) {
    await at.folder.write(`app/node_modules/.bin/${name}`, `#!/bin/sh\n${at.program}\n`);
    await chmod(at.folder.resolve(`app/node_modules/.bin/${name}`), 0o755);
  }
  const search = `${at.cwd}/node_modules/.bin:node_modules/.bin::${process.env['PATH']}`;
  const environment = readingEnvironment({
    environment: { PATH: search, GIT_CONFIG_COUNT: '1', GIT_CONFIG_KEY_0: 'a.b', GIT_CONFIG_VALUE_0: 'c' },
    workspace: at.cwd,
  });
  expect(environment).toMatchObject({ GIT_CONFIG_KEY_0: 'a.b', GIT_CONFIG_KEY_1: 'core.fsmonitor' });
  const result = await runCommand({
    command: 'git config a.b; ls; git status',
    folder: at.cwd,
    environment: commandEnvironment({ base: environment, keep: new Set() }),
    timeoutMs: 20_000,
    maxOutputBytes: 10_000,
    signal: new AbortController().signal,
    emit: () => {},
  });
  expect(result).toMatchObject({ exitCode: 0, output: expect.stringMatching(/^c\n/) });
  expect(await runsIn(at.folder)).toBe('');
  expect(dirname(at.program)).toBe(at.folder.path);
});

test('a git that is ended before it answers is not a missing repository', async () => {
  await using at = await repository();
  const git = execFileSync('/bin/sh', ['-c', 'command -v git'], { encoding: 'utf8' }).trim();
  const fake = `#!/bin/sh\ncase "$*" in *--absolute-git-dir*) kill -9 $$ ;; esac\nexec ${git} "$@"\n`;
  await at.folder.write('bin/git', fake);
  await chmod(at.folder.resolve('bin/git'), 0o755);
  vi.stubEnv('PATH', `${at.folder.resolve('bin')}:${process.env['PATH']}`);
  try {
    expect(await gitHazards(at.cwd, at.cwd)).toEqual({ everywhere: 'Git did not describe the repository in time.' });
  } finally {
    vi.unstubAllEnvs();
  }
});

test('settings of a project and variables of the user decide neither what npm runs nor where it writes', async () => {
  await using at = await repository();
  await at.folder.write('app/.npmrc', 'logs-dir=./npm-logs\ncache=./npm-cache\ntiming=true\n');
  await at.folder.write('app/package.json', '{}');
  await at.folder.write('app/x.cjs', "require('node:fs').writeFileSync('npm-code', '')");
  const environment = readingEnvironment({
    environment: { PATH: process.env['PATH'], NODE_OPTIONS: '--require=./x.cjs' },
    workspace: at.cwd,
  });
  execFileSync('npm', ['root'], { cwd: at.cwd, env: environment });
  expect((await readdir(at.cwd)).filter((name) => name.startsWith('npm-'))).toEqual([]);
});

test('git settings in variables are passed completely or not at all', () => {
  const settings = (value: string) => ({ GIT_CONFIG_COUNT: '1', GIT_CONFIG_KEY_0: 'a.b', GIT_CONFIG_VALUE_0: value });
  const whole = commandEnvironment({ base: settings('c'), keep: new Set() });
  expect(whole).toMatchObject(settings('c'));
  const withheld = commandEnvironment({ base: settings('https://me:secret@host/'), keep: new Set() });
  expect(Object.keys(withheld)).not.toContain('GIT_CONFIG_COUNT');
  expect(Object.values(withheld).join()).not.toContain('secret');
});
