import { execFile } from 'node:child_process';
import { readdir } from 'node:fs/promises';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { temporaryFolder } from '@qwen/testkit';
import { expect, test } from 'vitest';
import { CLAUDE_AGENT_SDK } from './claude-agent-sdk.ts';
import { fetchPackage } from './foreign-package.ts';

const run = promisify(execFile);
const ROOT = fileURLToPath(new URL('../../..', import.meta.url));

const { packageName, version } = CLAUDE_AGENT_SDK;

function isReachable(): Promise<boolean> {
  return run('npm', ['view', `${packageName}@${version}`, 'version'], { timeout: 60_000 }).then(
    () => true,
    () => false,
  );
}

test('the apps that e2e runs with our SDK compile with the foreign types', { timeout: 400_000 }, async ({ skip }) => {
  skip(!(await isReachable()), 'the npm registry cannot be reached');
  await using foreign = await fetchPackage(packageName, version);
  await using folder = await temporaryFolder();
  const programs = join(ROOT, 'e2e/compat/claude-agent-sdk');
  const compilerOptions = {
    module: 'nodenext',
    target: 'es2023',
    strict: true,
    skipLibCheck: true,
    noEmit: true,
    types: ['node'],
    typeRoots: [join(ROOT, 'node_modules/@types')],
    paths: {
      '@qwen/sdk': [join(foreign.folder, 'sdk.d.ts')],
      [packageName]: [join(foreign.folder, 'sdk.d.ts')],
      [`${packageName}/sdk-tools`]: [join(foreign.folder, 'sdk-tools.d.ts')],
    },
  };
  const folders = ['apps', 'programs'].map((name) => join(programs, name));
  const files = (
    await Promise.all(folders.map(async (at) => (await readdir(at)).map((name) => join(at, name))))
  ).flat();
  await folder.write('tsconfig.json', JSON.stringify({ compilerOptions, files }));
  const tsc = join(ROOT, 'tooling/checks/node_modules/typescript5/bin/tsc');
  const { stdout } = await run(process.execPath, [tsc, '-p', folder.path]).catch(
    (failure: { stdout: string }) => failure,
  );
  expect(files.length).toBeGreaterThan(5);
  expect(stdout).toBe('');
});

test('the page agrees with the types of both packages', { timeout: 400_000 }, async ({ skip }) => {
  skip(!(await isReachable()), 'the npm registry cannot be reached');
  const script = fileURLToPath(new URL('compat-tables.ts', import.meta.url));
  const { stdout } = await run(process.execPath, [script]).catch((failure: { stdout: string; stderr: string }) => ({
    stdout: failure.stderr + failure.stdout,
  }));
  expect(stdout).toMatch(new RegExp(`^${packageName} ${version}: 0 faults in \\d+ tables\\n$`));
});
