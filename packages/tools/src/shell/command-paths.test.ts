import { mkdir, symlink } from 'node:fs/promises';
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

test('git is read-only only in the opened folder', async () => {
  verifies('S12', 'S41');
  await using at = await fixture();
  expect((await at.decided('git status')).behavior).toBe('allow');
  expect((await at.decided('git status', { directory: 'src' })).behavior).toBe('ask');
  expect((await at.decided('cd src && git status')).behavior).toBe('ask');
  expect((await at.decided('ls', { directory: '/' })).behavior).toBe('ask');
});
