import { execFileSync } from 'node:child_process';
import { mkdir, symlink } from 'node:fs/promises';
import { explainPrepared, RuleSet } from '@qwen/agent';
import type { PermissionMode } from '@qwen/protocol';
import { temporaryFolder } from '@qwen/testkit';
import { builtinTools } from '../src/builtin-tools.js';
import { createPathResolver } from '../src/paths/path-resolver.js';

const TOOLS = builtinTools();

/** A repository with a tracked `.env`, a denied folder `src`, and links to both. */
export async function guardedRepository() {
  const folder = await temporaryFolder();
  const cwd = folder.resolve('app');
  for (const name of ['src', 'lib', 'home/.qwen/server', 'home/.ssh']) {
    await mkdir(folder.resolve(name.startsWith('home') ? name : `app/${name}`), { recursive: true });
  }
  for (const name of ['.env', 'a.txt', 'src/keep', 'lib/b.txt']) await folder.write(`app/${name}`, 'one\n');
  for (const name of ['.qwen/server/token', '.qwen/server/server.json', '.ssh/id_rsa', '.netrc']) {
    await folder.write(`home/${name}`, 'one\n');
  }
  await symlink('.env', folder.resolve('app/link-env'));
  await symlink('src', folder.resolve('app/link-src'));
  await symlink('..', folder.resolve('app/lib/up'));
  await symlink(folder.resolve('home/.ssh/id_rsa'), folder.resolve('app/link-key'));
  execFileSync('/bin/sh', ['-c', 'git init -q && git add .'], { cwd, stdio: 'ignore' });
  const home = folder.resolve('home');
  const anchors = { root: cwd, realRoot: cwd, home, dataDir: `${home}/.qwen` };
  const paths = createPathResolver({ roots: [cwd] });
  const behavior = async (
    command: string,
    { mode = 'yolo', ...rules }: { mode?: PermissionMode; deny?: string[]; allow?: string[] },
  ) => {
    const compiled = new RuleSet({ allow: [], ask: [], deny: [], ...rules }, anchors);
    const options = { tools: TOOLS, mode, rules: compiled, cwd, paths };
    return (await explainPrepared({ name: 'Bash', input: { command } }, options)).behavior;
  };
  return { folder, behavior, [Symbol.asyncDispose]: () => folder[Symbol.asyncDispose]() };
}
