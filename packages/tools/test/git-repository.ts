import { execFileSync } from 'node:child_process';
import type { Dirent } from 'node:fs';
import { chmod, mkdir, readdir, readFile, writeFile } from 'node:fs/promises';
import { join, relative } from 'node:path';
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

interface Prepared {
  readonly folders: readonly string[];
  readonly files: ReadonlyMap<string, Buffer>;
}

/** The data of the repository, made once: each git process costs more than to write all files. */
let prepared: Promise<Prepared> | undefined;

async function prepare(): Promise<Prepared> {
  await using folder = await temporaryFolder();
  const script = `git init -q --template= && mkdir .git/hooks .git/info && echo one > a.txt && git add . &&
    git commit -qm one && echo two > a.txt && git stash -q`;
  execFileSync('/bin/sh', ['-c', script], { cwd: folder.path, env: environmentIn(folder.path), stdio: 'ignore' });
  const data = folder.resolve('.git');
  const entries = await readdir(data, { recursive: true, withFileTypes: true });
  const nameOf = (entry: Dirent) => relative(data, join(entry.parentPath, entry.name));
  const files = new Map<string, Buffer>();
  for (const entry of entries) {
    if (entry.isFile()) files.set(nameOf(entry), await readFile(join(data, nameOf(entry))));
  }
  return { folders: entries.filter((entry) => entry.isDirectory()).map(nameOf), files };
}

const environmentIn = (home: string) => ({
  PATH: process.env['PATH'],
  HOME: home,
  GIT_CONFIG_NOSYSTEM: '1',
  ...Object.fromEntries(
    ['AUTHOR', 'COMMITTER'].flatMap((who) => [
      [`GIT_${who}_NAME`, 'a'],
      [`GIT_${who}_EMAIL`, 'a@b'],
    ]),
  ),
});

/** A repository with a change and a stash, and a program that leaves a mark. */
export async function repository() {
  const folder = await temporaryFolder();
  const cwd = folder.resolve('app');
  const env = environmentIn(folder.resolve('home'));
  const git = (...args: readonly (string | { input: string | Buffer })[]) =>
    execFileSync(
      'git',
      args.filter((arg) => typeof arg === 'string'),
      { ...args.find((arg) => typeof arg === 'object'), cwd, env, encoding: 'utf8' },
    );
  /** Creates it in a folder. */
  const create = async (name: string) => {
    const { folders, files } = await (prepared ??= prepare());
    for (const path of ['', ...folders]) await mkdir(folder.resolve(name, '.git', path), { recursive: true });
    await Promise.all([...files].map(([path, content]) => writeFile(folder.resolve(name, '.git', path), content)));
    await folder.write(`${name}/a.txt`, 'three\n');
  };
  await create('app');
  await folder.write('home/.gitconfig', '');
  await folder.write('program', '#!/bin/sh\necho "$@" >> "$(dirname "$0")/ran"\ncat\n');
  await chmod(folder.resolve('program'), 0o755);
  const program = folder.resolve('program');
  return { folder, cwd, git, create, program, [Symbol.asyncDispose]: () => folder[Symbol.asyncDispose]() };
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
