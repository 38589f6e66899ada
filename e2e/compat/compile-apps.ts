import { execFile } from 'node:child_process';
import { createRequire } from 'node:module';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { temporaryFolder } from '@qwen/testkit';

const run = promisify(execFile);
const COMPILER = createRequire(import.meta.url)
  .resolve('typescript/package.json')
  .replace('package.json', 'bin/tsc');
const TYPES = fileURLToPath(new URL('../../node_modules/@types', import.meta.url));

/** What the compiler reports about apps. `sources`: files in the place of packages that the apps import. */
export async function compileApps(
  files: readonly string[],
  sources: Readonly<Record<string, string>> = {},
): Promise<string> {
  const compilerOptions = {
    module: 'nodenext',
    moduleResolution: 'nodenext',
    target: 'esnext',
    customConditions: ['@qwen/source'],
    strict: true,
    skipLibCheck: true,
    noEmit: true,
    types: ['node'],
    typeRoots: [TYPES],
    paths: Object.fromEntries(Object.entries(sources).map(([name, file]) => [name, [file]])),
  };
  await using folder = await temporaryFolder();
  const project = await folder.write('tsconfig.json', JSON.stringify({ compilerOptions, files }));
  const { stdout } = await run(process.execPath, [COMPILER, '-p', project]).catch(
    (failure: { stdout: string }) => failure,
  );
  return stdout;
}
