import { execFile } from 'node:child_process';
import { mkdir, mkdtempDisposable, symlink, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';

const run = promisify(execFile);
const ROOT = fileURLToPath(new URL('../..', import.meta.url));

/**
 * Compiles snippets of TypeScript, by file name without extension. They may import what `examples/` and the SDK may.
 * Returns the output of the compiler, which is empty if all are correct.
 */
export async function compileSnippets(snippets: ReadonlyMap<string, string>): Promise<string> {
  await using folder = await mkdtempDisposable(join(tmpdir(), 'snippets-'));
  const inner = join(folder.path, 'snippets');
  await mkdir(inner);
  await symlink(join(ROOT, 'packages', 'sdk', 'node_modules'), join(folder.path, 'node_modules'));
  await symlink(join(ROOT, 'examples', 'node_modules'), join(inner, 'node_modules'));
  for (const [name, code] of snippets) {
    // Without an import it would be a script that shares its names with all others.
    await writeFile(join(inner, `${name}.mts`), `${code}\nexport {};\n`);
  }
  await writeFile(
    join(inner, 'tsconfig.json'),
    JSON.stringify({
      extends: join(ROOT, 'tsconfig.base.json'),
      compilerOptions: {
        types: ['node'],
        typeRoots: [join(ROOT, 'node_modules', '@types')],
        noUnusedLocals: false,
        noUnusedParameters: false,
      },
      files: [...snippets.keys()].map((name) => `${name}.mts`),
    }),
  );
  const compiler = join(ROOT, 'node_modules', 'typescript', 'bin', 'tsc');
  const { stdout } = await run(process.execPath, [compiler, '-p', inner]).catch((failed: { stdout: string }) => failed);
  return stdout;
}
