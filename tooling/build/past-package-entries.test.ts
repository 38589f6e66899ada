import { readFile } from 'node:fs/promises';
import { fileURLToPath } from 'node:url';
import { build } from 'esbuild';
import { expect, test } from 'vitest';
import { pastPackageEntries } from './past-package-entries.ts';

const MODULE = fileURLToPath(new URL('../../packages/host/src/exit-code.ts', import.meta.url));

test('an import from a workspace package refers to the declaring file, not the entry', async () => {
  expect(await readFile(MODULE, 'utf8')).toMatch(/^import \{.*\bAgentError\b.*\} from '@qwen\/protocol';/m);
  const { metafile } = await build({
    entryPoints: [MODULE],
    bundle: true,
    write: false,
    metafile: true,
    format: 'esm',
    platform: 'node',
    conditions: ['@qwen/source'],
    plugins: [pastPackageEntries],
  });
  const inputs = Object.keys(metafile.inputs);
  expect(inputs).toContainEqual(expect.stringMatching(/packages\/protocol\/src\/errors\.ts$/));
  expect(inputs).not.toContainEqual(expect.stringMatching(/packages\/protocol\/src\/index\.ts$/));
});
