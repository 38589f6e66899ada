import { execFile } from 'node:child_process';
import { readFile } from 'node:fs/promises';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { temporaryFolder, verifies } from '@qwen/testkit';
import { expect, test } from 'vitest';
import { PACKAGE_RULES } from './layering/rules.js';

const ROOT = fileURLToPath(new URL('../..', import.meta.url));

/** What the linter, set up as it is here, says about a file. Its exit code is 1 when it finds something. */
async function lint(path: string, text: string): Promise<string> {
  await using folder = await temporaryFolder();
  await folder.write('tsconfig.json', '{"compilerOptions":{"strict":true,"lib":["es2023"],"types":[]}}');
  await folder.write(path, text);
  const options = ['--config', `${ROOT}.oxlintrc.json`, '--type-aware', '--format=json', '.'];
  const env = { ...process.env, OXLINT_TSGOLINT_PATH: `${ROOT}node_modules/.bin/tsgolint` };
  const linter = [`${ROOT}node_modules/oxlint/bin/oxlint`, ...options];
  // Awaited here: the folder must exist until the linter has read it.
  return await promisify(execFile)(process.execPath, linter, { cwd: folder.path, env }).then(
    ({ stdout }) => stdout,
    ({ stdout }: { readonly stdout: string }) => stdout,
  );
}

const PRELUDE = 'declare function work(): Promise<void>; declare const log: { close(): void };\n';

test.each([
  [
    'T6',
    'a promise that nobody waits for',
    'export const f = () => { try { work(); } catch {} };',
    'no-floating-promises',
  ],
  ['T7', 'a chain that nobody catches', 'export const f = () => { work().then(() => 1); };', 'no-floating-promises'],
  [
    'T6',
    'an async function where a plain one belongs',
    '[1].forEach(async () => { await work(); });',
    'no-misused-promises',
  ],
  ['T8', 'a method that is named, not called', 'export const f = log.close;', 'unbound-method'],
  ['T24', 'a print', "console.log('x');", 'no-console'],
])('%s: the linter refuses %s', async (trap, _what, text, rule) => {
  verifies(trap);
  expect(await lint('a.ts', PRELUDE + text)).toContain(rule);
});

test('the linter refuses readline and paths into the source of another package', async () => {
  verifies('T1');
  const found = await lint(
    'packages/agent/src/a.ts',
    "import { a } from '@qwen/models/src/a.js'; import { createInterface } from 'node:readline';\n" +
      'export const b = [a, createInterface];',
  );
  expect(found).toContain('Import packages by their name.');
  expect(found).toContain('It splits lines at U+2028 too');
});

test('the layering rules and the map in AGENTS.md agree', async () => {
  verifies('T34');
  const map = await readFile(`${ROOT}AGENTS.md`, 'utf8');
  for (const [name, { imports, types = [], onDemand = [] }] of Object.entries(PACKAGE_RULES)) {
    const [, words = ''] = new RegExp(`^\\| \`packages/${name}\` \\|.*\\| (.*) \\|$`, 'm').exec(map) ?? [];
    const named = words.match(/[a-z]+/g)?.filter((word) => word in PACKAGE_RULES);
    expect([name, named?.toSorted()]).toEqual([name, [...imports, ...types, ...onDemand].toSorted()]);
  }
});

test('valid code passes', async () => {
  const text = 'export const f = async () => { await work(); log.close(); };';
  expect(JSON.parse(await lint('a.ts', PRELUDE + text))).toMatchObject({ diagnostics: [] });
});
