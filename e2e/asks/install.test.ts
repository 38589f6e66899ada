import { execFile } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { verifies } from '@qwen/testkit';
import { expect, test } from 'vitest';

const run = promisify(execFile);
/** What the field asks for. */
const MOST_BYTES = 15_000_000;

interface Tarball {
  readonly unpackedSize: number;
  readonly files: readonly { readonly path: string }[];
}

/** What `npm publish` would put into the tarballs of packages of ours. */
async function pack(...names: readonly string[]): Promise<Tarball[]> {
  const folders = names.map((name) => fileURLToPath(new URL(`../../packages/${name}`, import.meta.url)));
  const { stdout } = await run('npm', ['pack', '--dry-run', '--json', '--ignore-scripts', ...folders]);
  // A list, or from npm 12 on a map by name.
  return Object.values(JSON.parse(stdout) as Record<string, Tarball>);
}

test('the SDK and the CLI together stay small and contain nothing platform-specific', async () => {
  verifies('FB20');
  const tarballs = await pack('sdk', 'cli');
  expect(tarballs).toHaveLength(2);
  const bytes = tarballs.reduce((sum, { unpackedSize }) => sum + unpackedSize, 0);
  expect(bytes).toBeLessThan(MOST_BYTES);
  const paths = tarballs.flatMap(({ files }) => files.map(({ path }) => path));
  expect(paths).toEqual(expect.arrayContaining(['bin/qwen.js', 'dist/index.js']));
  expect(paths.filter((path) => /\.(node|so|dll|dylib|exe)$/.test(path))).toEqual([]);
});
