import { symlink } from 'node:fs/promises';
import { fileURLToPath } from 'node:url';
import { expect, test } from 'vitest';
import { startLineProcess, temporaryFolder } from './index.js';

const here = (path: string) => JSON.stringify(fileURLToPath(new URL(path, import.meta.url)));

/** Runs vitest with our reporter over one test file, as a child. */
async function runTests(file: string) {
  await using folder = await temporaryFolder();
  await symlink(fileURLToPath(new URL('../node_modules', import.meta.url)), folder.resolve('node_modules'), 'junction');
  const rows = [
    { id: 'A-01', title: 'one', state: 'open' },
    { id: 'A-02', title: 'two', state: 'open' },
  ];
  await folder.write('requirements.json', JSON.stringify({ groups: [{ id: 'A', title: 'a', rows }] }));
  await folder.write(
    'vitest.config.ts',
    `import { ConformanceReporter } from ${here('./reporter.ts')};
    const root = import.meta.dirname + '/';
    const print = (text) => process.stdout.write(text + '\\n');
    const options = { root, requirementsFile: root + 'requirements.json', pageFile: root + 'page.md', print };
    export default { test: { reporters: [new ConformanceReporter(options)] } };`,
  );
  await folder.write(
    'a.test.ts',
    `import { expect, test } from 'vitest'; import { verifies } from ${here('./verifies.ts')};\n${file}`,
  );
  const vitest = folder.resolve('node_modules/vitest/vitest.mjs');
  await using program = await startLineProcess({
    command: process.execPath,
    args: [vitest, 'run', '--root', folder.path],
    cwd: folder.path,
  });
  const { code } = await program.exited;
  return { code, lines: program.lines.map((line) => line.text), page: await folder.read('page.md') };
}

test('prints what is verified and ends with the counts', async () => {
  const { code, lines, page } = await runTests(`test('shows', () => { verifies('A-01'); });`);
  expect(code).toBe(0);
  expect(lines.slice(-2)).toEqual(['conformance: 1 of 2 rows verified, 0 failing', '1 passed, 0 failed']);
  expect(page).toContain('| A-01 | one | verified | a.test.ts › shows |');
});

test('a row that a failing test claims is failing, even if another test verifies it', async () => {
  const { code, lines, page } = await runTests(
    `test('good', () => { verifies('A-01'); });
     test('bad', () => { verifies('A-01'); expect(1).toBe(2); });`,
  );
  expect(code).toBe(1);
  expect(lines.at(-1)).toBe('1 passed, 1 failed');
  expect(page).toContain('| A-01 | one | failing | a.test.ts › bad<br>a.test.ts › good |');
});

test('a claim of an unknown requirement fails the run', async () => {
  const { code, lines } = await runTests(`test('shows', () => { verifies('A-99'); });`);
  expect(code).toBe(1);
  expect(lines.slice(-2)).toEqual(['unknown requirement: A-99 (a.test.ts › shows)', '1 passed, 1 failed']);
});

test('a file that cannot be loaded counts as failed', async () => {
  const { code, lines } = await runTests(`throw new Error('broken');`);
  expect(code).toBe(1);
  expect(lines.at(-1)).toBe('0 passed, 1 failed');
});
