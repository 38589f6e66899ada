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

/** What `npm publish` would put into the tarball of one of our packages. */
async function pack(name: string): Promise<Tarball> {
  const cwd = fileURLToPath(new URL(`../../packages/${name}`, import.meta.url));
  const { stdout } = await run('npm', ['pack', '--dry-run', '--json', '--ignore-scripts'], { cwd });
  // A list, or from npm 12 on a map by name.
  const [tarball] = Object.values(JSON.parse(stdout) as Record<string, Tarball>);
  if (tarball === undefined) throw new Error(`npm packs nothing for ${name}`);
  return tarball;
}

test('the SDK and the CLI together stay small and contain nothing platform-specific', async () => {
  verifies('FB20');
  const tarballs = await Promise.all(['sdk', 'cli'].map(pack));
  const bytes = tarballs.reduce((sum, { unpackedSize }) => sum + unpackedSize, 0);
  expect(bytes).toBeLessThan(MOST_BYTES);
  const paths = tarballs.flatMap(({ files }) => files.map(({ path }) => path));
  expect(paths).toEqual(expect.arrayContaining(['bin/qwen.js', 'dist/index.js']));
  expect(paths.filter((path) => /\.(node|so|dll|dylib|exe)$/.test(path))).toEqual([]);
});
