import { mkdir, symlink } from 'node:fs/promises';
import { dirname } from 'node:path';
import { type Explanation, explainPrepared, RuleSet } from '@qwen/agent';
import type { PermissionMode } from '@qwen/protocol';
import { temporaryFolder, verifies } from '@qwen/testkit';
import { expect, test } from 'vitest';
import { builtinTools } from '../builtin-tools.js';
import { createPathResolver } from '../paths/path-resolver.js';

/** A workspace with links that lead out of it, and what would be decided about commands in it. */
async function fixture() {
  const folder = await temporaryFolder();
  await mkdir(folder.resolve('outside/deep'), { recursive: true });
  await mkdir(folder.resolve('app/src'), { recursive: true });
  await folder.write('outside/secret', 'x');
  await folder.write('app/src/a.ts', 'x');
  await folder.write('app/.env', 'x');
  await symlink(folder.resolve('outside/secret'), folder.resolve('app/link'));
  await symlink(folder.resolve('outside/deep'), folder.resolve('app/deep'));
  await symlink(folder.resolve('app/.env'), folder.resolve('app/innocent'));
  const cwd = folder.resolve('app');
  const paths = createPathResolver({ roots: [cwd] });
  const decided = (command: string, { mode = 'default', deny = [], directory }: Options = {}): Promise<Explanation> => {
    const rules = new RuleSet({ allow: [], ask: [], deny }, { root: cwd, realRoot: cwd });
    const input = { command, ...(directory !== undefined && { directory }) };
    return explainPrepared({ name: 'Bash', input }, { tools: builtinTools(), mode, rules, cwd, paths });
  };
  return { folder, decided, [Symbol.asyncDispose]: () => folder[Symbol.asyncDispose]() };
}

interface Options {
  readonly mode?: PermissionMode;
  readonly deny?: readonly string[];
  readonly directory?: string;
}

test('paths of a command are judged by their real path', async () => {
  verifies('S21', 'S33');
  await using at = await fixture();
  const behaviours = async (commands: readonly string[]) =>
    Promise.all(commands.map(async (command) => `${(await at.decided(command)).behavior} ${command}`));
  const inside = ['cat src/a.ts', 'cat src/../src/a.ts', 'cd src && cat a.ts', 'cd src && cat ../src/a.ts', 'ls .'];
  expect(await behaviours(inside)).toEqual(inside.map((command) => `allow ${command}`));
  // After a link, `..` is the folder above the target of the link.
  const outside = [
    'cat link',
    'ls deep',
    'cat deep/../secret',
    'cd deep && cat ../secret',
    'cat src/../../outside/secret',
  ];
  expect(await behaviours(outside)).toEqual(outside.map((command) => `ask ${command}`));
  expect((await at.decided('cat link')).blockedPath).toBe(at.folder.resolve('app/link'));
});

test('a pattern asks only if a file that it expands to would', async () => {
  await using at = await fixture();
  await at.folder.write('app/src/b.ts', 'x');
  await at.folder.write('app/README.md', 'x');
  await at.folder.write('app/keys/id_rsa', 'x');
  await at.folder.write('app/odd/-R', 'x');
  await mkdir(at.folder.resolve('outside/deep/inner'));
  await symlink(at.folder.resolve('outside/secret'), at.folder.resolve('app/src/out'));
  const behaviours = async (commands: readonly string[], deny: readonly string[] = []) =>
    Promise.all(commands.map(async (command) => `${(await at.decided(command, { deny })).behavior} ${command}`));
  const inside = [
    'ls *.md',
    'cat src/*.ts',
    'wc -l src/*.ts README.md | tail -1',
    'grep -n x src/?.ts',
    "sed -n '1,5p' src/*.ts",
    'cd src && cat *.ts',
    'cat missing/*.ts',
    'head -3 ./src/*.ts',
  ];
  expect(await behaviours(inside)).toEqual(inside.map((command) => `allow ${command}`));
  const asked = [
    'cat src/*',
    'cat *',
    'ls .*',
    'cat keys/*',
    'cat ../*/secret',
    'cat deep/*/../../secret',
    // The pattern is no name of a file, or may become an option, a count or code.
    'grep x* src/a.ts',
    'rg x *.ts',
    'cat odd/*',
    'uniq src/*.ts',
    'diff src/*.ts',
    'sed -n s* src/a.ts',
    'head -n * src/a.ts',
    'find src/*.ts -delete',
    'test -f src/*.ts',
    'cat "src"/*.ts',
    'cat {src,odd}/*.ts',
  ];
  expect(await behaviours(asked)).toEqual(asked.map((command) => `ask ${command}`));
  const denied = ['cat src/*.ts', 'grep -n x src/*.ts', 'cd src && cat *.ts'];
  expect(await behaviours(denied, ['Read(b.ts)'])).toEqual(denied.map((command) => `deny ${command}`));
  expect(await behaviours(['grep -rn x sr*'], ['Read(b.ts)'])).toEqual(['ask grep -rn x sr*']);
});

test('a forbidden file is forbidden to commands under every name', async () => {
  verifies('S33', 'S17');
  await using at = await fixture();
  const deny = ['Read(.env)'];
  for (const command of ['cat .env', 'cat innocent', 'cd src && cat ../.env', 'head -1 < innocent', 'cat .e*']) {
    expect([command, (await at.decided(command, { deny })).behavior]).toEqual([command, 'deny']);
  }
  for (const command of ['cat .e[n]v', 'grep -r x .', 'cat "$FILE"']) {
    expect([command, (await at.decided(command, { deny, mode: 'yolo' })).behavior]).toEqual([command, 'ask']);
  }
  expect((await at.decided('cat src/a.ts', { deny })).behavior).toBe('allow');
});

test('a redirection through a link is a write outside the workspace', async () => {
  verifies('S14', 'S34');
  await using at = await fixture();
  const mode = 'auto-edit';
  expect(await at.decided('echo x > src/new', { mode })).toMatchObject({ behavior: 'allow', decidedBy: 'auto-edit' });
  for (const command of ['echo x > deep/new', 'echo x > link', 'cd deep; echo x > new', 'echo x > .git/hooks/new']) {
    expect([command, (await at.decided(command, { mode })).behavior]).toEqual([command, 'ask']);
  }
});

test('git is read-only only in the workspace', async () => {
  verifies('S12', 'S41');
  await using at = await fixture();
  expect((await at.decided('git status')).behavior).toBe('allow');
  expect((await at.decided('git status', { directory: 'src' })).behavior).toBe('allow');
  expect((await at.decided('git status', { directory: 'deep' })).behavior).toBe('ask');
  expect((await at.decided('cd deep && git status')).behavior).toBe('ask');
  expect((await at.decided('ls', { directory: '/' })).behavior).toBe('ask');
});

const NPM = ['npm ls --json --long', 'npm run', 'npm pkg get', 'npm root', 'timeout 5 npm explain q', 'npm --version'];
const VERSIONS = ['python3 --version', 'pip list', 'ruby -v', 'node --version', 'jq . src/a.ts'];

test.each<[finds: string, commands: readonly string[], links: Readonly<Record<string, string>>]>([
  ['a manifest', [...NPM, ...VERSIONS], { 'package.json': '../outside/x' }],
  ['a manifest above', ['cd src && npm run', 'cd src/deep && npm pkg get'], { 'package.json': '../outside/x' }],
  ['a manifest of keys inside', NPM, { 'package.json': '.docker/config.json' }],
  ['settings of npm', NPM, { '.npmrc': '../outside/x' }],
  ['a dangling lock', NPM, { 'package-lock.json': '../outside/missing' }],
  ['a package', NPM, { 'node_modules/q': '../../outside' }],
  ['a file of a package', NPM, { 'node_modules/@s/q/package.json': '../../../../outside/x' }],
  ['a workspace', ['npm ls', 'cd src && npm run'], { 'p/q': '../../outside' }],
  ['a version', [...VERSIONS, 'npm ls'], { '.python-version': '../outside/x' }],
  ['a version above', ['cd src/deep && python --version'], { '.tool-versions': '../outside/x' }],
])('a program that would find %s outside requires a question', async (_, commands, links) => {
  await using at = await packages();
  for (const command of commands) expect([command, await at.decided(command)]).toEqual([command, 'allow']);
  for (const [name, target] of Object.entries(links)) await at.link(name, target);
  for (const command of commands) expect([command, await at.decided(command)]).toEqual([command, 'ask']);
  expect(await at.decided('cat src/a.ts')).toBe('allow');
});

test.each<[commands: readonly string[], name: string, text: string]>([
  [NPM, '.npmrc', 'userconfig = ../outside/x'],
  [NPM, '.npmrc', '"\\u0075serconfig"=../outside/x'],
  [NPM, '.npmrc', 'fund=false\rglobalconfig=../outside/x'],
  [NPM, 'package.json', '{"workspaces":["p/*","../outside"]}'],
  [NPM, 'package.json', '{"workspaces":{"packages":["{.,}./outside"]}}'],
  [NPM, 'package.json', '<<<<<<< a\n{"workspaces":["../outside"]}'],
  [VERSIONS, '.tool-versions', 'nodejs 24\npython path:./tools'],
  [VERSIONS, '.python-version', '../../outside'],
])('a file that leads %s elsewhere requires a question', async (commands, name, text) => {
  await using at = await packages();
  await at.folder.write(`app/${name}`, text);
  for (const command of commands) expect([command, await at.decided(command)]).toEqual([command, 'ask']);
});

test('the usual files of a project ask nothing', async () => {
  await using at = await packages();
  await at.folder.write(
    'app/.npmrc',
    '; mine\n@a:registry=https://x.example/\n//x.example/:_authToken=${T}\nfund=false\n',
  );
  await at.folder.write('app/package.json', '{"workspaces":["packages/*","./p/**","!p/old"]}');
  await at.folder.write('app/.tool-versions', 'nodejs 24.1.0 # see https://x.example/\n');
  await at.folder.write('app/.nvmrc', 'lts/hydrogen\n');
  await at.folder.write('app/.venv/lib/x', '');
  await at.link('.venv/bin/python', process.execPath);
  await at.link('.venv/lib64', 'lib');
  await at.link('node_modules/own', '../p');
  for (const command of [...NPM, ...VERSIONS]) expect([command, await at.decided(command)]).toEqual([command, 'allow']);
  await at.folder.write('package.json', '{"workspaces":["app"]}');
  expect(await at.decided('npm ls')).toBe('ask');
});

/** A package in a workspace. */
async function packages() {
  const folder = await temporaryFolder();
  for (const name of ['outside/x', 'app/src/a.ts', 'app/src/deep/a.ts', 'app/p/a.ts', 'app/.docker/config.json']) {
    await folder.write(name, 'x');
  }
  const cwd = folder.resolve('app');
  const paths = createPathResolver({ roots: [cwd] });
  const rules = new RuleSet({ allow: [], ask: [], deny: [] }, { root: cwd, realRoot: cwd });
  return {
    folder,
    link: async (name: string, target: string) => {
      await mkdir(dirname(folder.resolve('app', name)), { recursive: true });
      await symlink(target, folder.resolve('app', name));
    },
    decided: async (command: string) => {
      const context = { tools: builtinTools(), mode: 'default', rules, cwd, paths } as const;
      return (await explainPrepared({ name: 'Bash', input: { command } }, context)).behavior;
    },
    [Symbol.asyncDispose]: () => folder[Symbol.asyncDispose](),
  };
}
