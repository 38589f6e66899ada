import { execFile } from 'node:child_process';
import { appendFile, cp, mkdir, symlink } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { type TemporaryFolder, temporaryFolder } from '@qwen/testkit';
import { expect, test } from 'vitest';

const run = promisify(execFile);
const ROOT = fileURLToPath(new URL('../..', import.meta.url));

const CHANGES = [
  ['tooling/build/third-party-licenses.ts', ['cli', 'sdk', 'server']],
  ['packages/host/src/compose.ts', ['cli']],
  ['packages/terminal/src/run-terminal.tsx', ['cli']],
] as const;

test('a change to a source or a build script rebuilds the packages that depend on it', {
  timeout: 60_000,
}, async () => {
  await using copy = await copyOfRepository();
  let before = await dryRun(copy.path);
  for (const [changed, dependents] of CHANGES) {
    await appendFile(join(copy.path, changed), '\n');
    const after = await dryRun(copy.path);
    for (const name of dependents) {
      expect([changed, name, before.hashes.get(name)]).not.toEqual([changed, name, after.hashes.get(name)]);
    }
    expect(after.hashes.get('protocol')).toBe(before.hashes.get('protocol'));
    expect(after.stderr).not.toContain('ircular');
    before = after;
  }
});

/** Everything that git knows, in a repository of its own: turbo hashes files through git. */
async function copyOfRepository(): Promise<TemporaryFolder> {
  const folder = await temporaryFolder();
  const { stdout } = await run('git', ['ls-files', '-z', '--cached'], { cwd: ROOT, maxBuffer: 2 ** 24 });
  const inputs = stdout.split('\0').filter((path) => /^(packages|tooling|[^/]+$)/.test(path));
  const folders = new Set(inputs.map((path) => dirname(join(folder.path, path))));
  for (const path of folders) await mkdir(path, { recursive: true });
  await Promise.all(inputs.map((path) => cp(join(ROOT, path), join(folder.path, path))));
  await symlink(join(ROOT, 'node_modules'), folder.resolve('node_modules'));
  await run('git', ['init', '--quiet'], { cwd: folder.path });
  return folder;
}

async function dryRun(cwd: string): Promise<{ readonly hashes: ReadonlyMap<string, string>; readonly stderr: string }> {
  const turbo = join(ROOT, 'node_modules/turbo/bin/turbo');
  const env = { ...process.env, TURBO_TELEMETRY_DISABLED: '1', DO_NOT_TRACK: '1' };
  const { stdout, stderr } = await run(process.execPath, [turbo, 'run', 'build', '--dry=json'], {
    cwd,
    env,
    maxBuffer: 2 ** 26,
  });
  const { tasks }: { readonly tasks: readonly { readonly package: string; readonly hash: string }[] } =
    JSON.parse(stdout);
  return { hashes: new Map(tasks.map((task) => [task.package.replace('@qwen/', ''), task.hash])), stderr };
}
