import { execFileSync } from 'node:child_process';
import { chmod } from 'node:fs/promises';
import { explainPrepared, RuleSet } from '@qwen/agent';
import { temporaryFolder } from '@qwen/testkit';
import { builtinTools } from '../src/builtin-tools.js';
import { createPathResolver } from '../src/paths/path-resolver.js';

export const SHOWING = [
  'git status',
  'git diff',
  'git log -p',
  'git show',
  'git blame a.txt',
  'git stash show -p',
  'git log --format=%G?',
];

/** A repository with a change and a stash, and a program that leaves a mark. */
export async function repository() {
  const folder = await temporaryFolder();
  const cwd = folder.resolve('app');
  const git = (...args: readonly (string | { input: string | Buffer })[]) =>
    execFileSync(
      'git',
      ['-c', 'user.name=a', '-c', 'user.email=a@b', ...args.filter((arg) => typeof arg === 'string')],
      {
        ...args.find((arg) => typeof arg === 'object'),
        cwd,
        env: { PATH: process.env['PATH'], HOME: folder.resolve('home'), GIT_CONFIG_NOSYSTEM: '1' },
        encoding: 'utf8',
      },
    );
  await folder.write('home/.gitconfig', '');
  await folder.write('program', '#!/bin/sh\necho "$@" >> "$(dirname "$0")/ran"\ncat\n');
  await chmod(folder.resolve('program'), 0o755);
  await folder.write('app/a.txt', 'one\n');
  git('init', '-q');
  git('add', '.');
  git('commit', '-qm', 'one');
  await folder.write('app/a.txt', 'two\n');
  git('stash', '-q');
  await folder.write('app/a.txt', 'three\n');
  const program = folder.resolve('program');
  return { folder, cwd, git, program, [Symbol.asyncDispose]: () => folder[Symbol.asyncDispose]() };
}

export type Repository = Awaited<ReturnType<typeof repository>>;

export async function decided(
  { cwd }: Pick<Repository, 'cwd'>,
  command: string,
  allow: readonly string[] = [],
): ReturnType<typeof explainPrepared> {
  const rules = new RuleSet({ allow, ask: [], deny: [] }, { root: cwd, realRoot: cwd });
  const paths = createPathResolver({ roots: [cwd] });
  return explainPrepared(
    { name: 'Bash', input: { command } },
    { tools: builtinTools(), mode: 'default', rules, cwd, paths },
  );
}
