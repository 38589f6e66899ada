import { execFile } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { temporaryFolder } from '@qwen/testkit';
import { expect, test } from 'vitest';

const run = promisify(execFile);
const pathOf = (path: string) => fileURLToPath(new URL(path, import.meta.url));
const KIT = pathOf('../dist/main.js');

interface Outcome {
  readonly id: string;
  readonly verdict: string;
}

/** The exit code and the outcomes that are not `pass`, by check. */
async function check(...args: readonly string[]) {
  const { code, stdout, stderr } = await run(process.execPath, [KIT, '--json', ...args]).then(
    (output) => ({ code: 0, ...output }),
    (thrown: { code: number; stdout: string; stderr: string }) => thrown,
  );
  const outcomes: readonly Outcome[] = stdout === '' ? [] : JSON.parse(stdout);
  const open = outcomes.filter(({ verdict }) => verdict !== 'pass');
  return { code, count: outcomes.length, open, stderr };
}

test('our CLI passes all checks', { timeout: 120_000 }, async () => {
  expect(await check('cli', process.execPath, pathOf('../../cli/bin/qwen.js'))).toMatchObject({ code: 0, open: [] });
});

test('our SDK passes all checks', { timeout: 120_000 }, async () => {
  expect(await check('sdk', pathOf('../../sdk/dist/index.js'))).toMatchObject({ code: 0, open: [] });
});

test('a CLI that ends at once fails, and what needs an answer is skipped', async () => {
  const { code, count, open } = await check('cli', process.execPath, '-e', '0');
  expect(code).toBe(1);
  expect(open).toHaveLength(count);
  expect(open).toContainEqual(expect.objectContaining({ id: 'initialize', verdict: 'fail' }));
  expect(open).toContainEqual(expect.objectContaining({ id: 'valid-lines', verdict: 'skip' }));
});

test('an SDK that yields nothing fails', async () => {
  await using folder = await temporaryFolder();
  await folder.write('sdk.mjs', 'export async function* query() {}\n');
  const { code, open } = await check('sdk', folder.resolve('sdk.mjs'));
  expect(code).toBe(1);
  expect(open[0]).toMatchObject({ id: 'one-prompt', verdict: 'fail' });
});

test('wrong usage exits with 2 and says what is expected', async () => {
  expect(await check('page', 'x')).toMatchObject({ code: 2, stderr: expect.stringContaining('cli COMMAND') });
  expect(await check('sdk', 'a', 'b')).toMatchObject({ code: 2, stderr: expect.stringContaining('not "a b"') });
});
