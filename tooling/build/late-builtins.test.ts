import { execFile } from 'node:child_process';
import { promisify } from 'node:util';
import { temporaryFolder } from '@qwen/testkit';
import { build } from 'esbuild';
import { expect, test } from 'vitest';
import { lateBuiltins } from './late-builtins.ts';

const run = promisify(execFile);

test('parts of Node are there as they were imported, and no more of them than is used', async () => {
  await using folder = await temporaryFolder();
  const source = `
    import { readFile } from 'node:fs/promises';
    import { readFileSync } from 'node:fs';
    import { isDeepStrictEqual } from 'node:util';
    import { StringDecoder } from 'node:string_decoder';
    const loaded = () => process.moduleLoadList.filter((name) => /(fs\\/promises|worker_threads)$/.test(name)).length;
    const before = loaded();
    const file = process.argv[1];
    const isSame = isDeepStrictEqual(new StringDecoder().write(await readFile(file)), readFileSync(file, 'utf8'));
    process.stdout.write(JSON.stringify([before, isSame, loaded() > 0]));`;
  const entry = await folder.write('entry.ts', source);
  const outfile = folder.resolve('out.mjs');
  await build({
    entryPoints: [entry],
    outfile,
    bundle: true,
    format: 'esm',
    platform: 'node',
    plugins: [lateBuiltins],
  });
  const { stdout } = await run(process.execPath, [outfile]);
  expect(JSON.parse(stdout)).toEqual([0, true, true]);
  expect(await folder.read('out.mjs')).not.toContain('writeFile');
});
