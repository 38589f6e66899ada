import { execFile } from 'node:child_process';
import { globSync, readFileSync } from 'node:fs';
import { symlink } from 'node:fs/promises';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { temporaryFolder, verifies } from '@qwen/testkit';
import { expect, test } from 'vitest';

const run = promisify(execFile);
const ROOT = fileURLToPath(new URL('../..', import.meta.url));

test('each TypeScript snippet of the docs and READMEs compiles', async () => {
  verifies('T33');
  await using folder = await temporaryFolder();
  // What the examples may import, the docs may import.
  await symlink(join(ROOT, 'examples', 'node_modules'), folder.resolve('node_modules'));
  const pages = globSync('{*.md,docs/**/*.md,packages/*/README.md}', { cwd: ROOT });
  const names = await Promise.all(pages.flatMap((page) => snippetsOf(page).map(write)));
  expect(names.length).toBeGreaterThan(5);
  await folder.write(
    'tsconfig.json',
    JSON.stringify({
      extends: join(ROOT, 'tsconfig.base.json'),
      compilerOptions: {
        types: ['node'],
        typeRoots: [join(ROOT, 'node_modules', '@types')],
        noUnusedLocals: false,
        noUnusedParameters: false,
      },
      files: names,
    }),
  );
  const compiler = join(ROOT, 'node_modules', 'typescript', 'bin', 'tsc');
  const { stdout } = await run(process.execPath, [compiler, '-p', folder.path]).catch(
    (failed: { stdout: string }) => failed,
  );
  expect(stdout).toBe('');

  async function write({ name, code }: { readonly name: string; readonly code: string }): Promise<string> {
    // Without an import it would be a script that shares its names with all others.
    await folder.write(name, `${code}\nexport {};\n`);
    return name;
  }
}, 60_000);

/** The blocks that say they are TypeScript. */
function snippetsOf(page: string): { name: string; code: string }[] {
  const text = readFileSync(join(ROOT, page), 'utf8');
  return [...text.matchAll(/^```ts\n([^]*?)^```$/gm)].map(([, code = ''], index) => ({
    name: `${page.replaceAll(/\W/g, '-')}-${index + 1}.mts`,
    code,
  }));
}
