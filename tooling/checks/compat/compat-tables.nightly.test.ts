import { execFile } from 'node:child_process';
import { readdir } from 'node:fs/promises';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { temporaryFolder } from '@qwen/testkit';
import { expect, test } from 'vitest';
import { CLAUDE_AGENT_SDK } from './claude-agent-sdk.ts';
import { fetchPackage } from './foreign-package.ts';
import { QWEN_CODE_SDK } from './qwen-code-sdk.ts';

const run = promisify(execFile);
const ROOT = fileURLToPath(new URL('../../..', import.meta.url));
const APPS = join(ROOT, 'e2e/compat/claude-agent-sdk');

const { packageName, version } = CLAUDE_AGENT_SDK;

function isReachable(): Promise<boolean> {
  return run('npm', ['view', `${packageName}@${version}`, 'version'], { timeout: 60_000 }).then(
    () => true,
    () => false,
  );
}

test.each([
  [version, (name: string) => !name.endsWith('-v2.ts')],
  // The last versions with `unstable_v2_prompt()`.
  ['0.2.100', (name: string) => name.endsWith('-v2.ts')],
])('the apps that e2e runs compile with the types of version %s', { timeout: 400_000 }, async (theirs, isFor) => {
  await using foreign = await fetchPackage(packageName, theirs);
  await using folder = await temporaryFolder();
  const types = [join(foreign.folder, 'sdk.d.ts')];
  const compilerOptions = {
    module: 'nodenext',
    target: 'es2023',
    lib: ['es2023', 'esnext.disposable'],
    strict: true,
    skipLibCheck: true,
    noEmit: true,
    types: ['node'],
    typeRoots: [join(ROOT, 'node_modules/@types')],
    paths: {
      '@qwen/sdk': types,
      [packageName]: types,
      [`${packageName}/sdk-tools`]: [join(foreign.folder, 'sdk-tools.d.ts')],
    },
  };
  const found = await Promise.all(['apps', 'programs'].map((name) => filesIn(join(APPS, name))));
  const files = found.flat().filter(isFor);
  await folder.write('tsconfig.json', JSON.stringify({ compilerOptions, files }));
  const tsc = join(ROOT, 'tooling/checks/node_modules/typescript5/bin/tsc');
  const { stdout } = await run(process.execPath, [tsc, '-p', folder.path]).catch(
    (failure: { stdout: string }) => failure,
  );
  expect(files).not.toEqual([]);
  expect(stdout).toBe('');
});

async function filesIn(folder: string): Promise<string[]> {
  return (await readdir(folder)).map((name) => join(folder, name));
}

test('the pages agree with the types of the packages', { timeout: 400_000 }, async ({ skip }) => {
  skip(!(await isReachable()), 'the npm registry cannot be reached');
  const script = fileURLToPath(new URL('compat-tables.ts', import.meta.url));
  const { stdout } = await run(process.execPath, [script]).catch((failure: { stdout: string; stderr: string }) => ({
    stdout: failure.stderr + failure.stdout,
  }));
  const lines = [CLAUDE_AGENT_SDK, QWEN_CODE_SDK].map((table) => `${table.packageName} ${table.version}: 0 faults`);
  expect(stdout.replaceAll(/ in \d+ tables/g, '')).toBe(`${lines.join('\n')}\n`);
});
